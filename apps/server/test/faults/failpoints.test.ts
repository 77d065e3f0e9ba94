import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { FAILPOINT_VARIABLE, FAILPOINTS } from '#platform/failpoints';
import { CALLBACK_PLACES } from '../callbacks/callback-places.ts';
import { AB_TEST_PLACE } from '../campaigns/ab-test-places.ts';
import { HTTP_PLACES } from '../http-links/http-places.ts';
import { INTAKE_PLACES } from '../intake/intake-places.ts';
import { JOURNEY_PLACES } from '../journeys/journey-places.ts';
import { LOOKUP_PLACE } from '../number-lookups/lookup-place.ts';
import { SANDBOX_PLACES } from '../sandbox/sandbox-places.ts';
import { FILE_PLACES } from '../scheduled-files/file-places.ts';
import { TOP_UP_PLACES } from '../top-ups/top-up-places.ts';
import { INBOUND_PLACES } from './inbound-places.ts';
import { PLACES } from './kill-plan.ts';
import { PREPARATION_PLACES } from './preparation-places.ts';

const SOURCE = join(import.meta.dirname, '../../src');

/** Passes a place three times in its own process, and returns its output and how it ended. */
function pass(environment: Record<string, string>) {
  const module = pathToFileURL(join(SOURCE, 'platform/failpoints.ts')).href;
  const code = `import { failpoint } from ${JSON.stringify(module)};
    for (let i = 1; i <= 3; i++) { failpoint('intent.sent'); process.stdout.write(String(i)); }`;
  const { NODE_ENV: _, ...rest } = process.env;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...rest, ...environment },
    encoding: 'utf8',
  });
  return { said: run.stdout, signal: run.signal, status: run.status, stderr: run.stderr };
}

test('the server passes every place, and the kill tests stop a process at each one', () => {
  const sources = globSync('**/*.ts', { cwd: SOURCE }).map((file) => readFileSync(join(SOURCE, file), 'utf8'));
  const passed = new Set(
    sources.flatMap((text) => [...text.matchAll(/failpoint\('([^']+)'\)/g)].map(([, name]) => name)),
  );
  assert.deepEqual([...passed].sort(), [...FAILPOINTS].sort());
  const killed = new Set(Object.values(PLACES).flatMap((places) => places.map(([name]) => name)));
  const others = [
    AB_TEST_PLACE,
    LOOKUP_PLACE,
    ...CALLBACK_PLACES,
    ...INTAKE_PLACES,
    ...JOURNEY_PLACES,
    ...PREPARATION_PLACES,
    ...SANDBOX_PLACES,
  ];
  for (const [place] of [...HTTP_PLACES, ...TOP_UP_PLACES, ...FILE_PLACES]) killed.add(place);
  for (const place of [...INBOUND_PLACES.map((each) => each.place), ...others]) killed.add(place);
  assert.deepEqual([...killed].sort(), [...FAILPOINTS].sort());
});

test('a process dies at the visit that the variable names, and at no other place', () => {
  const { said, signal } = pass({ NODE_ENV: 'test', [FAILPOINT_VARIABLE]: 'intent.sent:3' });
  assert.deepEqual([said, signal], ['12', 'SIGKILL']);
  assert.equal(pass({ NODE_ENV: 'test', [FAILPOINT_VARIABLE]: 'intent.sent:4' }).said, '123');
  assert.equal(pass({ NODE_ENV: 'test', [FAILPOINT_VARIABLE]: 'intent.after-commit:1' }).said, '123');
});

test('the variable has no effect outside tests, and a misspelled place is refused', () => {
  for (const mode of ['production', 'development', '']) {
    const { said, status } = pass({ NODE_ENV: mode, [FAILPOINT_VARIABLE]: 'intent.sent:1' });
    assert.deepEqual([said, status], ['123', 0]);
  }
  const { status, stderr } = pass({ NODE_ENV: 'test', [FAILPOINT_VARIABLE]: 'intent.set:1' });
  assert.notEqual(status, 0);
  assert.match(stderr, /no failpoint has this name/);
});
