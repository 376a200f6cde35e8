const { a, b: c, d = 1, ...rest } = source();
const [first, , third = 2, ...others] = list;
let { deep: { inner }, pairs: [left] } = tree;
function read() {
  const { e, f: [g] } = a;
  for (const { id, name: label } of list) {}
  for (let key in a) {}
  try {} catch ({ message }) {}
}
