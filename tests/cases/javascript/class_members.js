@sealed
class Counter extends mixins.Emitting(Base) {
  static count = 0;
  #secret = [1, 2];
  plain;
  [computed] = 3;
  handler = (event) => event.target;
  Inner = class {
    method() {}
  };
  @bound()
  async *stream(from, to = from) {}
  #hidden() {}
  static of() {}
  [Symbol.iterator]() {}
  constructor() {
    super();
  }
}
