[assembly: Title("x")]
/// <summary>Tests.</summary>
[TestFixture, Category("slow")]
class T
{
    // Runs once.
    [Test]
    [Case(1)]
    public void Run([Values(1, 2)] int a) { }
    [NonSerialized] int field;
}
