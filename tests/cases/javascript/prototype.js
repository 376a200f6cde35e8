function Shape(name) {
  this.name = name;
  this.describe = function () {
    return name;
  };
}

// How big it is.
Shape.prototype.area = function () {
  return 0;
};

Shape.create = name => new Shape(name);

function Square() {}
Square.prototype = {
  constructor: Square,
  side: 1,
  area: function area() {
    return this.side * this.side;
  },
  get corners() {
    return 4;
  },
};
