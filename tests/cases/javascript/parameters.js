function all(plain, assigned = 1, { taken, as: renamed, given = 2 } = {}, [head, ...tail], last, ...rest) {}
const one = single => single;
