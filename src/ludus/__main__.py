"""`python -m ludus` is the same as `ludus`."""

from ludus.cli import main

main()
