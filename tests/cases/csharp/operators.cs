struct V
{
    public static V operator +(V a, V b) => a;
    public static bool operator ==(V a, V b) { return true; }
    public static bool operator true(V a) => true;
    public static implicit operator int(V v) => 1;
    public static explicit operator V(int i) => new V(i);
}
