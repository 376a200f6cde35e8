# Not the documentation: a blank line follows.

# The documentation of f.
def f():
    pass


def g():
    """The documentation of g."""


x = 1  # Speaks of x.
def h():
    # A comment first.
    "The documentation of h."
    return 1
