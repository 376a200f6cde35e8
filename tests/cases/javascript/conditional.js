if (supported) {
  function choose() { return 1; }
} else {
  function choose() { return 2; }
}
try {
  var native = require('./native');
} catch {
  native = { add() {} };
}
