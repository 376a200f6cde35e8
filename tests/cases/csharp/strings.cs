class S
{
    string a = "one  two", b = @"c:\  d", c = $"x {y.z:HH  mm}  {w}", d = """raw  "q" """;
    char e = ' ';
}
