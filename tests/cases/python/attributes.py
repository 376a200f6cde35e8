class A(B):
    declared = 1
    def f(self):
        self.late = 0
        self.x = 5
        self.declared = 3
    def __init__(self, x):
        # The x.
        self.x = x or foo()
        self.y: int = 1
        self.z: str
        self.a, (self.b, c), self.c = 1, (2, 3), 4
        self.d = self.e = lambda: 0
        self.sub.k = 1
        self.late += 1
        self.arr[0] = 1
        def inner():
            self.deep = 1
        with open("x") as self.file:
            pass
    class C:
        def __init__(self):
            self.x = 1
def g(self):
    self.no = 1
