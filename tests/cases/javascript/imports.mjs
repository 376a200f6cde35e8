import first from './a.js';
import { second, third as renamed, default as fourth } from './b.js';
import * as everything from '@scope/package';
import both, { named } from 'library';
import {} from './empty.js';
import './effect.js';
import data from './data.json' with { type: 'json' };
const later = await import('./later.js');
