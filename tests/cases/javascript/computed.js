const reducers = {
  [ADD]: (state) => state,
  [REMOVE](state) {},
};
class Stream {
  [FD] = null;
  [ON_OPEN] = () => {};
  get [SIZE]() {}
  set [SIZE](value) {}
}
