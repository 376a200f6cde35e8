class P
{
    public int Auto { get; set; }
    public int Made { get; } = 3;
    public int Short => Auto;
    public int Full { get { return a; } private set { a = value; } }
    public int Arrow { get => a; init => a = value; }
    int IPart.Hidden { get => 1; }
    public int this[int i, string s] { get { return i; } set { } }
    public Func<int> Lazy { get; } = () => 1;
}
