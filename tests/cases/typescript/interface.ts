interface Point extends Base, ns.Other<string> {
  x: number;
  readonly y?: number;
  // How far it is.
  distance(other: Point, callback?: (error: Error) => void): number;
  get z(): number;
  set z(value: number);
  new (x: number): Point;
  (y: string): void;
  [key: string]: unknown;
  [Symbol.iterator](): Iterator<number>;
  'quoted-name': string;
}
