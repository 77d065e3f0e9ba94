import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import { PERMISSIONS, permissionsOf, ROLES } from '../src/access/role-permissions.ts';
import { numberList } from '../src/contacts/number-list.ts';
import { kindOf, money, referenceOf } from '../src/kernel/fields.ts';
import { compileText, renderText } from '../src/kernel/merge-fields.ts';
import { fromThousandths, toThousandths } from '../src/kernel/money.ts';
import { CAMPAIGN_STATES, mayBecome } from '../src/kernel/states.ts';
import { RESOURCES } from '../src/registry.ts';
import { ALL_OPERATIONS, DECLARED } from './operations.ts';

test('an amount stays the same when converted to thousandths and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 14), max: 10 ** 14 }), (n) => {
      assert.equal(toThousandths(fromThousandths(n)), n);
    }),
  );
  assert.equal(toThousandths('0.5'), 500);
  assert.ok(Object.is(toThousandths('-0'), 0));
  for (const bad of ['', '1e9', 'NaN', '1.2345', '1,5', ' 1', '--1', '1.', 'Infinity']) {
    assert.throws(() => toThousandths(bad), RangeError);
    assert.equal(bad.trim() === bad && money().safeParse(bad).success, false, bad);
  }
});

// The linter would take a literal `${` for a forgotten template.
const HOSTILE = `$${'{x}'}<%= y %>{{param2}}`;

test('inserts a merge value literally, without expanding it again', () => {
  const compiled = compileText('Hi {name}, {param1} {unknown}');
  assert.deepEqual(compiled.fields, ['name', 'param1']);
  assert.deepEqual(compiled.unknown, ['unknown']);
  const rendered = renderText(compiled, { name: '{param1}', param1: HOSTILE });
  assert.deepEqual(rendered, { text: `Hi {param1}, ${HOSTILE} {unknown}`, missing: [] });
});

test('a missing value uses its default, and is named if there is none', () => {
  const compiled = compileText('{name}{param2}');
  assert.deepEqual(renderText(compiled, { name: '' }, { name: 'friend' }), { text: 'friend', missing: ['param2'] });
});

test('a campaign that has ended never changes its state', () => {
  for (const ended of ['rejected', 'discarded', 'completed', 'stopped', 'failed'] as const) {
    for (const state of CAMPAIGN_STATES) assert.equal(mayBecome(ended, state), false);
  }
  assert.ok(mayBecome('running', 'paused') && mayBecome('paused', 'running'));
});

test('every permission that a call requires exists, and super admin holds them all', () => {
  const known = new Set(PERMISSIONS);
  for (const { permission, path } of ALL_OPERATIONS)
    assert.ok(permission === null || known.has(permission), `${permission} of ${path}`);
  assert.deepEqual(new Set(permissionsOf('super_admin')), known);
  for (const role of ROLES) for (const name of permissionsOf(role)) assert.ok(known.has(name));
});

test('a read-only user may change nothing', () => {
  const changing = ALL_OPERATIONS.filter((o) => o.method !== 'GET' && o.permission !== null);
  const held = new Set(permissionsOf('read_only_user'));
  assert.deepEqual(
    changing.filter((o) => held.has(o.permission ?? '')).map((o) => o.path),
    [],
  );
});

test('the registry lists every record', () => {
  const records = DECLARED.filter((x) => typeof x === 'object' && x !== null && 'createOne' in x);
  assert.ok(records.length >= 30, String(records.length));
  assert.deepEqual(new Set(records), new Set(RESOURCES));
});

test('no two calls share a method and a path', () => {
  const calls = ALL_OPERATIONS.map((o) => `${o.method} ${o.path.replace(/:\w+/g, ':')}`);
  assert.equal(new Set(calls).size, calls.length);
});

test('a field keeps its kind when it is optional, nullable or has a default', () => {
  assert.equal(kindOf(money().nullable().optional().default(null)), 'money');
  assert.equal(referenceOf(numberList.create.shape.department_id), 'departments');
  assert.equal(kindOf(z.string()), undefined);
});
