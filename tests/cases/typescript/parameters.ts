function all(this: Window, plain: string, optional?: number, given = 1, ...rest: string[]) {}
function callback(
  run: (error: Error, value: string) => void,
  { a, b: c }: { a: string; b(x: number): void },
  last: number,
) {}
const arrow = async <T,>(value: T) => value;
