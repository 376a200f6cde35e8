var debug = require('debug')('app');
const { join, resolve: absolute } = require('path');
const View = require('./view');

exports.version = '1.0';
exports.View = View;
// Starts it.
exports.start = function start(port) {};
module.exports.stop = () => {};
module.exports = function create() {
  return exports;
};
module.exports = { join, open: absolute, close() {} };
exports.first = exports.second = make();
