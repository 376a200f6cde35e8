class Reader {
  size: number;
  constructor(private path: string, n: number) {
    this.size = n;
    this.path = path;
    this.mode = n;
  }
}
