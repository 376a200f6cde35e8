class Box {
  get width() { return this.w; }
  set width(value) { this.w = value; }
  static get unit() { return 'px'; }
  get [key]() { return 1; }
  get() {}
}
