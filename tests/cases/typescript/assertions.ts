const config = { port: 80, start() {} } as const;
const load = (async (url: string) => url) satisfies Loader;
const Model = class Inner { run() {} } as any;
const size = <number>value;
let item = list!.first!.name;
function check(value: unknown): asserts value is string {}
