class Color(Enum):
    RED = 1
    GREEN = auto()

    def mix(self, other):
        match other:
            case Color.RED:
                return self
