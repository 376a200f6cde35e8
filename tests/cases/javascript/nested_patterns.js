let { a: { b, c = 1, d: e }, f: [g], h: { i = 2, j: k } = {} } = source;
let [[l], { m, n: o }] = pairs;
