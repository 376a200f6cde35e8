abstract class Shape {
  abstract name: string;
  abstract area(): number;
  abstract get sides(): number;
  abstract set sides(value: number);
  describe() {
    return this.name;
  }
}
