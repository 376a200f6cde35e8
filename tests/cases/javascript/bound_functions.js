const arrow = (a) => a;
let expression = function () {}, generator = function* () {};
var named = function other() {};
arrow.helper = async () => {};
reassigned = function () {};
const Klass = class Inner {};
table[key] = function entry() {};
list.forEach(function each(item) {});
(function main() {
  const local = () => 1;
})();
