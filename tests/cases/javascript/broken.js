function before() {
  return 1;
}

class Half {
  good() {}
  bad() { return 1 + ; }
  also() {}
}

const = 5;

function after(a) {
  return a;
}
