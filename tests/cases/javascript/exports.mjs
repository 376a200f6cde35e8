export const a = 1, b = 2;
export let { c, d: renamed, ...others } = a;
export function e() {}
export class F {}
const g = 3, h = 4;
export { g, h as i };
export { j, default as k } from './more.js';
export * from './all.js';
export * as space from './all.js';
