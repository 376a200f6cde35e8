namespace A
{
    namespace B.C
    {
        class Outer
        {
            class Inner
            {
                void Method()
                {
                    int Local(int x) { int Deeper() => x; return Deeper(); }
                }
            }
            enum Kind { One }
            interface IInner { void Run(); }
        }
    }
}
