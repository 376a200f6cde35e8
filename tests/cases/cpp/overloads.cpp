int area(int side);
int area(int width, int height) { return width * height; }
double area(double radius);
struct Shape {
  int area() const;
  int area(int scale);
};
