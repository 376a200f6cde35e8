from typing import overload


@overload
def area(side: int) -> int: ...
@overload
def area(side: float) -> float: ...
def area(side):
    return side * side
