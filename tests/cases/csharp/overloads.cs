class Area
{
    int Of(int side) => side * side;
    int Of(int width, int height) { return width * height; }
    T Of<T>(T shape) where T : IShape { return shape; }
}
