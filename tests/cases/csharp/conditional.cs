#if NET8
class Modern { void Run() { } }
#else
class Legacy { void Run() { } }
#endif
class Both
{
#if DEBUG
    void Trace() { }
#endif
}
