class Reader extends Stream {
  size = 1;
  constructor(path) {
    super();
    // Where it reads from.
    this.path = path;
    this.size = 2;
    this.read = this.read.bind(this);
    this.close = () => { this.isClosed = true; };
    this.first = this.last = null;
    if (path) { this.mode = open(path); } else { this.mode = 0; }
    [1].forEach((at) => { this.at = at; });
    this.first.next = 1;
    this[path] = 1;
  }
  read() { this.buffer = []; }
  get mark() { return this.at; }
}

function Cursor(path) {
  this.path = path;
}
Cursor.prototype.move = function () { this.moved = true; };
function plain() { this.nothing = 1; }
