"""`python -m birthmark`."""

from birthmark.surfaces.cli import main

main()
