a, (b, c) = d = 1, (2, 3)
e: int
f: str = "x"
_G = 1
first, *rest = items
obj.attribute = 1
table["key"] = 2


def local():
    i, j = 1, 2
    for k, v in pairs:
        with open(k) as file:
            if (line := file.read()):
                total: int = 0
    try:
        pass
    except OSError as error:
        del table["key"]
    return [n for n in items]
