"""NVVM 13.0 by ctypes: compile list of IR strings to PTX."""
import ctypes, sys
L=ctypes.CDLL("/tmp/gpu/nvvm130/nvidia/cu13/lib/libnvvm.so.4")
def compile(irs, *opts):
    p=ctypes.c_void_p()
    assert L.nvvmCreateProgram(ctypes.byref(p))==0
    for ir in irs:
        b=ir.encode() if isinstance(ir,str) else ir
        assert L.nvvmAddModuleToProgram(p,b,ctypes.c_size_t(len(b)),b"")==0
    bc=open("/usr/local/cuda/nvvm/libdevice/libdevice.10.bc","rb").read()
    L.nvvmLazyAddModuleToProgram(p,bc,ctypes.c_size_t(len(bc)),b"libdevice")
    o=(ctypes.c_char_p*len(opts))(*[x.encode() for x in opts])
    r=L.nvvmCompileProgram(p,len(opts),o)
    n=ctypes.c_size_t()
    if r:
        L.nvvmGetProgramLogSize(p,ctypes.byref(n)); s=ctypes.create_string_buffer(n.value); L.nvvmGetProgramLog(p,s)
        raise RuntimeError(s.value.decode()[:3000])
    L.nvvmGetCompiledResultSize(p,ctypes.byref(n)); s=ctypes.create_string_buffer(n.value); L.nvvmGetCompiledResult(p,s)
    L.nvvmDestroyProgram(ctypes.byref(p))
    return s.raw.rstrip(b"\0").decode()
