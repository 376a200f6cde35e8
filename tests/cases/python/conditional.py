import sys

if sys.platform == "win32":
    def home():
        return "C:"
elif sys.platform == "darwin":
    def home():
        return "/Users"
else:
    HOME = "/home"

try:
    import fast
except ImportError:
    def fast():
        pass
