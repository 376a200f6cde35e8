import type { A } from './a';
import { type B, C as D } from './a';
import E, * as F from 'library';
import G = require('./g');
export type { A } from './a';
export { D as default };
export interface H {}
export type I = string;
export enum J {}
export abstract class K {}
export namespace L {}
export declare const M: number;
export declare function N(): void;
export import O = F.Part;
export = E;
