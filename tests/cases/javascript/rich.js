#!/usr/bin/env node
'use strict';

import fs, { readFile as read } from 'node:fs';
import * as path from 'node:path';
import { Store } from './store.js';
import './polyfills.js';

// How long an entry lives, in milliseconds.
export const TIME_TO_LIVE = 60_000;
const SEPARATOR = /[ ,;]+/g;
let opened = 0, closed;
var legacy = typeof window === 'undefined';

/**
 * Splits a line into words.
 */
export function split(line, { limit = 10, trim } = {}, ...rest) {
  const words = line.split(SEPARATOR);
  for (let i = 0; i < words.length; i++) {
    words[i] = trim ? words[i].trim() : words[i];
  }
  function tooLong(word) {
    return word.length > limit;
  }
  return words.filter((word) => !tooLong(word));
}

async function* lines(stream) {
  for await (const chunk of stream) {
    yield* split(`${chunk}  end`);
  }
}

/** Keeps what was read. */
export class Cache extends Store {
  static #instances = new Set();
  static count = 0;
  #entries = new Map();
  onMiss = (key) => this.emit('miss', key);
  name;

  constructor(name, options = {}) {
    super(options);
    this.name = name;
    Cache.#instances.add(this);
  }

  // The number of entries.
  get size() {
    return this.#entries.size;
  }

  set size(value) {
    throw new RangeError(`size cannot be ${value}`);
  }

  static async open(file) {
    try {
      const { data, meta: { encoding } } = await read(file);
      return new Cache(data, { encoding });
    } catch (error) {
      if (error.code === 'ENOENT') {
        return null;
      } else if (error.code) {
        throw error;
      } else {
        console.warn(error);
      }
    } finally {
      opened++;
    }
  }

  *[Symbol.iterator]() {
    yield* this.#entries;
  }

  #prune(now) {
    for (const [key, { expires }] of this.#entries) {
      if (expires < now) this.#entries.delete(key);
    }
  }

  'quoted name'() {
    delete this.options.stale;
    this.options['ttl'] = TIME_TO_LIVE;
    this.hits += 1;
  }
}

export const formats = {
  version: 2,
  json(text) {
    return JSON.parse(text);
  },
  csv: (text) => text.split('\n'),
  'plain-text': function plain(text) {
    return text;
  },
  nested: {
    get deep() {
      return legacy;
    },
  },
};

const debounce = (fn, wait) => {
  let timer;
  return function debounced(...args) {
    clearTimeout(timer);
    timer = setTimeout(() => fn.apply(this, args), wait);
  };
};

if (legacy) {
  var shim = function () {
    return path.sep;
  };
}

switch (opened) {
  case 0:
    process.on('exit', () => fs.closeSync(closed));
    break;
  default:
    do { opened--; } while (opened);
}

export { debounce, lines as default };
