class Cup:
    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = value

    @level.deleter
    def level(self):
        del self._level
