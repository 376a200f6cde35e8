using System;
int count = 3;
const string Name = "x";
Console.WriteLine(Sum(count, 1));
static int Sum(int a, int b) => a + b;
Func<int, int> twice = x => x * 2;
