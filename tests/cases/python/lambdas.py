double = lambda x: x * 2


def local():
    triple = lambda y: y * 3
    return sorted(items, key=lambda item: item.size)
