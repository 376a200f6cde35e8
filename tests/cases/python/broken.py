def before():
    return 1


class Broken(:
    x = = 2


def after():
    return 2
