function outer() {
  class Local {
    method() {
      const inner = function () {
        function innermost() {}
      };
    }
  }
  return class extends Local {
    field = 1;
    other() {}
  };
}
const mixin = (Base) => class Mixed extends Base {
  added() {}
};
