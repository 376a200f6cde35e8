@app.route("/")
@cache
async def index(request):
    pass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
