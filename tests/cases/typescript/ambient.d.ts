declare const VERSION: string;
declare let current: number, previous: number;
declare function start(port: number): void;
declare class Server {
  port: number;
  constructor(port: number);
  listen(callback: () => void): this;
  static create(): Server;
}
declare module 'plugin' {
  export function load(name: string): void;
  const path: string;
  export default path;
}
declare module '*.css';
declare namespace Legacy {
  interface Options {}
}
declare global {
  var shared: number;
}
export as namespace Plugin;
