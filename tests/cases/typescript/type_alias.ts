type Name = string;
type Pair<A, B = A> = { first: A; second(b: B): void };
type Callback = (error: Error | null, value?: string) => void;
type Tuple = [start: number, end?: number];
type Keys = { [K in keyof Pair<1>]: K };
