class E
{
    public event EventHandler One, Two;
    public event Action Custom { add { Keep(value); } remove => Drop(value); }
    void Use(Button button) { button.Click += OnClick; button.Click += (sender, args) => Use(null); }
}
