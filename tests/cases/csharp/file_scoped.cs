using System;

namespace Shop.Api;

/// <summary>Runs it.</summary>
public class Runner
{
    public void Run() { }
}
