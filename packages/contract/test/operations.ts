import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '../src/kernel/operation.ts';
import { RESOURCES } from '../src/registry.ts';

const isOperation = (x: unknown): x is Operation =>
  typeof x === 'object' && x !== null && 'method' in x && 'session' in x && 'reply' in x;

const root = join(import.meta.dirname, '../src');
const files = globSync('*/*.ts', { cwd: root }).sort();
const modules: object[] = await Promise.all(files.map((file) => import(join(root, file))));

/** Everything that the contract's files export. */
export const DECLARED: readonly unknown[] = modules.flatMap((module) => Object.values(module));

/** All calls of the console, each once: the five of each resource, and every other one that the contract declares. */
export const ALL_OPERATIONS: readonly Operation[] = [
  ...new Set([
    ...RESOURCES.flatMap((r) => [r.list, r.get, r.createOne, r.updateOne, r.removeOne]),
    ...DECLARED.filter(isOperation),
  ]),
];
