class L
{
    Func<int, int> field = x => x + 1;
    void Run()
    {
        Func<int> local = () => { int inner = 1; return inner; };
        Action<int> old = delegate (int a) { Use(a); };
        var made = new Options { OnDone = (x, y) => x };
        list.Where((int x, string s = "a") => x > 1).ToList();
    }
}
