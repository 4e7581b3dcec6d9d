"""Where Numba keeps machine code: in the folder that it is given, whatever copy of the sources asks.

Numba's own locators know a function by path and time of its file, so every clone would compile again.
Our folders are named by a digest of all sources (`compilation.digest`): what lies in one fits whoever has
that digest.  Numba imports this by its name (`compilation.LOCATOR`); nobody else does.
"""

from __future__ import annotations

from types import FunctionType

import numba
from numba.core.caching import _CacheLocator


class FolderLocator(_CacheLocator):  # type: ignore[misc]  # Numba has no types
    """One function in the folder that was set when it was bound."""

    def __init__(self, f: FunctionType, folder: str) -> None:
        self._name = f"{f.__module__}-{f.__code__.co_firstlineno}"
        self._folder = folder

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return "known by the name of the folder"

    def get_disambiguator(self) -> str:
        return self._name

    @classmethod
    def from_function(cls, py_func: FunctionType, py_file: str) -> FolderLocator:
        return cls(py_func, numba.config.CACHE_DIR)
