const identity = <T,>(value: T): T => value;
const first = <T extends unknown[]>(list: T) => list[0];
