import { Injectable, type OnDestroy } from '@angular/core';
import type { Observable } from 'rxjs';
import fs = require('fs');
import * as config from './config';

export type Id = string | number;

/** What can be stored. */
export interface Item<T = unknown> extends Identified, Partial<Dated> {
  readonly id: Id;
  value?: T;
  render(target: HTMLElement, options?: { deep: boolean }): void;
  get label(): string;
  onChange: (previous: T, next: T) => void;
  [key: string]: unknown;
}

export type Listener = {
  (item: Item): void;
  once?: boolean;
  cancel(reason: string): void;
};

export enum Level {
  Low,
  High = 10,
  'very-high' = High * 2,
}

export abstract class Repository<T extends Item> {
  protected abstract readonly table: string;
  abstract find(id: Id): Promise<T>;
  abstract get size(): number;

  save(item: T): void;
  save(items: T[], options: SaveOptions): void;
  save(items: T | T[], { batch = 10, ...others }: SaveOptions = {}): void {
    for (const item of ([] as T[]).concat(items)) {
      this.write(item, batch);
    }
  }

  protected write(item: T, batch?: number): void {}
}

@Injectable({ providedIn: 'root' })
export class Users extends Repository<User> implements OnDestroy, Iterable<User> {
  static readonly LIMIT = 100;
  protected readonly table = 'users';
  private cache!: Map<Id, User>;
  @Input() name = '';
  select = async (id: Id): Promise<User | undefined> => this.cache.get(id);

  constructor(client: Client) {
    super();
    this.cache = new Map<Id, User>();
  }

  get size(): number {
    return this.cache.size;
  }

  // Looks it up.
  async find(this: Users, id: Id): Promise<User> {
    const found = this.cache.get(id)!;
    if (!isUser(found)) {
      throw new Error(`no user ${id}`);
    }
    return found as User;
  }

  @HostListener('window:close', ['$event'])
  ngOnDestroy(): void {
    this.cache.clear();
  }

  *[Symbol.iterator]() {
    yield* this.cache.values();
  }
}

export function isUser(value: unknown): value is User {
  return typeof value === 'object' && value !== null && 'name' in value;
}

export const pick = <T, K extends keyof T>(source: T, ...keys: K[]): Pick<T, K> => {
  const result = {} as Pick<T, K>;
  keys.forEach((key) => { result[key] = source[key]; });
  return result;
};

export const routes = [
  { path: '', load: () => import('./home') },
] satisfies Route[];

namespace Internal {
  export const version = '1';
  // Only here.
  function hidden(): void {}
}

declare global {
  interface Window {
    users: Users;
  }
}

export default Users;
