int add(a, b)
	int a;
	int b;
{
	return a + b;
}
