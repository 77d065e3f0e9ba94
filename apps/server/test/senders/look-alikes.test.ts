import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, errorsOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Client } from '../test-api.ts';

const { api, acme, one } = await apiStage({ after });
const owner = api.database.pool('owner');
const [superadmin, corporate] = (await Promise.all(['superadmin', 'corporate'].map((login) => api.as(login)))) as [
  Client,
  Client,
];

/** Characters that people read as a letter: digits, signs, and letters of other alphabets. */
const LOOKS: Readonly<Record<string, string>> = {
  a: '4@ΑАаαàáäåÅᴀａ𝐚',
  b: '8ßΒВвЬʙｂ𝗯',
  c: 'çÇСсᴄｃ',
  d: 'ԁᴅｄ𝒅',
  e: '3€ΕЕеéèᴇｅ',
  g: '69ɡɢｇ',
  h: 'ΗНһʜｈ',
  i: '1!|lΙІіɪｉíìＩ',
  k: 'ΚКκᴋｋ',
  l: '1|IӀʟｌ£',
  m: 'ΜМмᴍｍ',
  n: 'ñÑΝոｎɴ',
  o: '0ØøΟОоòöΘᴏｏ',
  p: 'ΡРрþｐᴘ',
  s: '5$§Ѕѕꜱｓ',
  t: '7ΤТтᴛｔ',
  u: 'üùÜսᴜｕ',
  v: 'νᴠｖ',
  w: 'ԝωᴡｗ',
  x: 'ΧХхｘ',
  y: '¥ΥУуʏｙ',
  z: '2ΖᴢｚЗ',
};
const SPACES = ['', '', '', ' ', '.', '-', '_', '\u00a0', '\u200b', "'", '\u0301'];

/** Returns a repeatable generator of numbers below a limit. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Writes a name in another way that a person reads the same. */
function disguise(name: string, random: (below: number) => number): string {
  return [...name]
    .map((letter) => {
      const looks = [...(LOOKS[letter.toLowerCase()] ?? '')];
      const choice = random(4);
      const written =
        choice === 0 && looks.length > 0
          ? looks[random(looks.length)]!
          : choice === 1
            ? letter.toUpperCase()
            : choice === 2
              ? letter.toLowerCase()
              : letter;
      return written + SPACES[random(SPACES.length)]!;
    })
    .join('');
}

test('every disguise of a protected name is found, whatever its letters and spaces', async () => {
  const random = randomOf(19);
  const { rows } = await owner.query<{ name: string }>("SELECT name FROM protected_name WHERE name ~ '^[A-Za-z]+$'");
  const tries = rows.flatMap(({ name }) =>
    Array.from({ length: 8 }, () => ({ name, disguised: disguise(name, random) })),
  );
  assert.ok(tries.length > 800);
  const found = await owner.query<{ name: string; disguised: string; seen: string | null }>(
    `SELECT w.name, w.disguised, (SELECT p.name FROM protected_name_like(w.disguised) p) AS seen
     FROM unnest($1::text[], $2::text[]) AS w(name, disguised)`,
    [tries.map(({ name }) => name), tries.map(({ disguised }) => disguised)],
  );
  assert.deepEqual(
    found.rows.filter(({ seen }) => seen === null).map(({ name, disguised }) => `${name}: ${disguised}`),
    [],
  );
});

test('usual names that only share letters with a protected one are free', async () => {
  const names = [
    'Birthday',
    'Boracay',
    'Tambayan',
    'Sundance',
    'Skyline',
    'PalmShop',
    'Lampshade',
    'Acme',
    'LamesaCafe',
  ];
  const { rows } = await owner.query<{ asked: string }>(
    'SELECT asked FROM unnest($1::text[]) AS asked, protected_name_like(asked)',
    [names],
  );
  assert.deepEqual(rows, []);
});

test('a protected name waits for the platform even if approvals are off', async () => {
  await owner.query("UPDATE global_configuration SET value = 'false' WHERE key = 'senders_need_approval'");
  const add = (sender_id: string) =>
    corporate('POST', '/api/v1/sender-ids', { corporation_id: acme.corporation_id, sender_id });
  const free = await add('Garden Lamp');
  assert.equal((free.body as { data: { usable: boolean } }).data.usable, true);
  for (const name of [
    'BDO',
    'BD0',
    'B.D.0',
    'bdo alert',
    'BDOAlert',
    'GC4SH',
    'G-Cash',
    'MyGCash',
    'BDO-Bank',
    '5SS',
    'PagIB1G',
  ]) {
    const made = await add(name);
    assert.equal(made.status, 201, `${name}: ${JSON.stringify(made.body)}`);
    const { state, usable, held_name } = (made.body as { data: Record<string, unknown> }).data;
    assert.deepEqual([name, state, usable, held_name], [name, 'submitted', false, true]);
  }
  // The letters of other alphabets do not fit into a sender ID at all.
  assert.deepEqual(Object.keys(errorsOf(await add('\u0412DO'))), ['sender_id']);
  const { id } = (free.body as { data: { id: number } }).data;
  const renamed = await corporate('PATCH', `/api/v1/sender-ids/${id}`, { sender_id: 'GCash 2' });
  assert.deepEqual([codeOf(renamed), Object.keys(errorsOf(renamed))], ['validation_failed', ['sender_id']]);
  const strict = await superadmin('POST', '/api/v1/protected-names', { name: 'Moonbeam', action: 'refuse' });
  assert.equal(strict.status, 201);
  assert.deepEqual(Object.keys(errorsOf(await add('M00nbeam'))), ['sender_id']);
  assert.equal((await corporate('GET', '/api/v1/protected-names')).status, 403);
  const { count } = await one<{ count: number }>('SELECT count(*) FROM sender_id WHERE held_name AND usable');
  assert.equal(count, 0);
});
