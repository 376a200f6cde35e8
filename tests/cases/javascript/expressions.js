const pick = fast ? function quick() {} : class Slow {
  run() {}
};
const steps = [function first() {}, () => {}];
handler ||= function lazy() {};
new (class {
  start() {}
})();
