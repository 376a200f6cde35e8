"""`python -m birthmark`."""

from birthmark.isolation import isolate

isolate()  # Python has put the working folder on the search path.

from birthmark.surfaces.cli.main import main  # noqa: E402

main()
