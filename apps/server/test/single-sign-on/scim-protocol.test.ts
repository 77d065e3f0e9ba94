import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { GROUP, type Json, keepKnown, USER } from '../../src/modules/single-sign-on/scim-attributes.ts';
import { ScimError } from '../../src/modules/single-sign-on/scim-error.ts';
import { conditionOf, readFilter } from '../../src/modules/single-sign-on/scim-filter.ts';
import { applyPatch, PATCH_SCHEMA } from '../../src/modules/single-sign-on/scim-patch.ts';
import { project } from '../../src/modules/single-sign-on/scim-projection.ts';

const ANN: Json = {
  id: '5',
  userName: 'ann@acme.test',
  displayName: 'Ann Cruz',
  active: true,
  name: { givenName: 'Ann', familyName: 'Cruz' },
  emails: [
    { value: 'ann@acme.test', type: 'work', primary: true },
    { value: 'ann@home.test', type: 'home' },
  ],
};
const TEAM: Json = { id: '7', displayName: 'Team', members: [{ value: '1' }, { value: '2' }] };

const patched = (resource: Json, ...Operations: object[]): Json =>
  applyPatch('members' in resource ? GROUP : USER, resource, { schemas: [PATCH_SCHEMA], Operations });

const refusal = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ScimError, String(error));
    return error.scimType;
  }
  return assert.fail('nothing was refused');
};

test('a patch sets, adds and removes as RFC 7644 and large directories say', () => {
  const after = (...operations: object[]) => patched(ANN, ...operations);
  assert.equal(after({ op: 'Replace', path: 'active', value: 'False' })['active'], 'False');
  assert.equal(after({ op: 'replace', value: { displayName: 'Ann Reyes', id: '9' } })['displayName'], 'Ann Reyes');
  assert.deepEqual(after({ op: 'replace', value: { 'name.familyName': 'Reyes' } })['name'], {
    givenName: 'Ann',
    familyName: 'Reyes',
  });
  assert.deepEqual(after({ op: 'add', path: 'NAME', value: { FamilyName: 'Reyes' } })['name'], {
    givenName: 'Ann',
    familyName: 'Reyes',
  });
  assert.deepEqual(after({ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.test' })['emails'], [
    { value: 'ann@acme.test', type: 'work', primary: true },
    { value: 'a@b.test', type: 'home' },
  ]);
  assert.deepEqual(
    after({ op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: '+639170000001' })['phoneNumbers'],
    [{ type: 'mobile', value: '+639170000001' }],
  );
  // A new primary value takes the mark from the old one.
  assert.deepEqual(after({ op: 'add', path: 'emails', value: [{ value: 'x@y.test', primary: true }] })['emails'], [
    { value: 'ann@acme.test', type: 'work', primary: false },
    { value: 'ann@home.test', type: 'home' },
    { value: 'x@y.test', primary: true },
  ]);
  assert.deepEqual(after({ op: 'remove', path: 'emails[type eq "home" and value co "home"]' })['emails'], [
    { value: 'ann@acme.test', type: 'work', primary: true },
  ]);
  assert.equal('displayName' in after({ op: 'remove', path: 'displayName' }), false);
  // Attributes that are not kept are accepted, and leave no trace.
  const department = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
  assert.deepEqual(
    after({ op: 'add', path: department, value: 'Sales' }, { op: 'add', path: 'title', value: 'Dr' }),
    ANN,
  );
});

test('members come and go by value, by filter and all together', () => {
  const members = (...operations: object[]) =>
    (patched(TEAM, ...operations)['members'] as { value: string }[]).map(({ value }) => value);
  assert.deepEqual(members({ op: 'add', path: 'members', value: [{ value: '2' }, { value: '3' }] }), ['1', '2', '3']);
  assert.deepEqual(members({ op: 'add', value: { members: { value: '9' } } }), ['1', '2', '9']);
  assert.deepEqual(members({ op: 'remove', path: 'members[value eq "1"]' }), ['2']);
  assert.deepEqual(members({ op: 'remove', path: 'members', value: [{ value: '1' }] }), ['2']);
  assert.deepEqual(members({ op: 'replace', path: 'members', value: [{ value: '4' }] }), ['4']);
  assert.deepEqual(members({ op: 'remove', path: 'members' }), []);
});

test('a patch that means nothing is refused, and the resource stays', () => {
  const before = structuredClone(ANN);
  const reason = (...operations: object[]) => refusal(() => patched(ANN, ...operations));
  assert.equal(reason({ op: 'replace', path: 'shoeSize', value: 43 }), 'invalidPath');
  assert.equal(reason({ op: 'replace', path: 'emails[type eq "work"', value: 1 }), 'invalidPath');
  assert.equal(reason({ op: 'replace', path: 'id', value: '6' }), 'mutability');
  assert.equal(reason({ op: 'add', path: 'groups', value: [{ value: '1' }] }), 'mutability');
  assert.equal(reason({ op: 'replace', path: 'emails[type eq "other"].value', value: 'x' }), 'noTarget');
  assert.equal(reason({ op: 'remove' }), 'noTarget');
  assert.equal(reason({ op: 'move', path: 'active', value: 1 }), 'invalidSyntax');
  assert.equal(reason({ op: 'add', path: 'displayName' }), 'invalidValue');
  assert.equal(reason({ op: 'add', path: 'emails[type eq].value', value: 'x' }), 'invalidFilter');
  assert.equal(
    refusal(() => applyPatch(USER, ANN, { Operations: [] })),
    'invalidSyntax',
  );
  assert.deepEqual(ANN, before);
});

test('no path, key or filter reaches anything but the attributes of the resource', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'polluted', 'toString'];
  const path = fc.array(fc.constantFrom(...names, 'emails', 'name', 'emails[constructor.prototype.polluted eq 1]'), {
    minLength: 1,
    maxLength: 4,
  });
  const value = fc.constantFrom<unknown>(
    1,
    { polluted: 1 },
    [{ polluted: 1 }],
    JSON.parse('{"__proto__":{"polluted":1}}'),
  );
  fc.assert(
    fc.property(path, value, fc.constantFrom('add', 'replace', 'remove'), (parts, value, op) => {
      const written = parts.join('.');
      for (const operation of [
        { op, path: written, value },
        { op, value: JSON.parse(`{${JSON.stringify(written)}:${JSON.stringify(value)}}`) },
      ])
        try {
          const result = keepKnown(USER, patched(ANN, operation));
          for (const key of Object.keys(result)) assert.ok(key in USER, key);
        } catch (error) {
          assert.ok(error instanceof ScimError, String(error));
        }
      for (const thing of [{}, [], () => 0]) assert.equal((thing as Json)['polluted'], undefined);
    }),
    { numRuns: 2_000 },
  );
});

test('a filter becomes a condition with parameters; other attributes are refused', () => {
  const columns = {
    username: { as: 'text', of: sql`u.name` },
    active: { as: 'boolean', of: sql`u.enabled` },
    'meta.created': { as: 'time', of: sql`u.created_at` },
  } as const;
  const reason = (filter: string) => refusal(() => conditionOf(readFilter(filter), columns));
  assert.equal(reason('password pr'), 'invalidFilter');
  assert.equal(reason('userName eq 5'), 'invalidFilter');
  assert.equal(reason('active co "t"'), 'invalidFilter');
  assert.equal(reason('meta.created gt "yesterday"'), 'invalidFilter');
  assert.equal(reason('userName eq'), 'invalidFilter');
  assert.equal(reason(`userName eq "${'x'.repeat(1_000)}"`), 'invalidFilter');
  assert.equal(reason(`${'('.repeat(400)}userName pr`), 'invalidFilter');
  assert.equal(reason("userName eq '1'; DROP TABLE user_account"), 'invalidFilter');
  assert.ok(
    conditionOf(
      readFilter('not (userName sw "a" or active eq true) and meta.created le "2026-01-01T00:00:00Z"'),
      columns,
    ),
  );
});

test('an answer has the attributes that were asked for, and always its id', () => {
  assert.deepEqual(project(ANN, { attributes: 'userName,name.givenName,EMAILS.value' }), {
    id: '5',
    userName: 'ann@acme.test',
    name: { givenName: 'Ann' },
    emails: [{ value: 'ann@acme.test' }, { value: 'ann@home.test' }],
  });
  assert.deepEqual(project(TEAM, { excludedAttributes: 'members, id' }), { id: '7', displayName: 'Team' });
});
