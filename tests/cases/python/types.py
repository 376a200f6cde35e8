type Pair[T] = tuple[T, T]
type Name = str


class Box[T: (int, str)](Base[T], metaclass=Meta):
    pass
