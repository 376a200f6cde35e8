"""`python -m birthmark`."""

from birthmark.surfaces.cli.main import main

main()
