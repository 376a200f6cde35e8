public record Point(int X, int Y);
public record struct Size(int Width) { public int Area => Width * Width; }
public sealed record Named : Point { public string Name { get; init; } }
