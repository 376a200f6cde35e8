def outer():
    class Inner:
        def method(self):
            def deepest():
                pass
            return deepest
    return Inner
