import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idHash, wholeIdHash } from '../../src/modules/delivery/outcomes/compact-outcomes.ts';
import { keyOfId, type LinkedId } from '../../src/modules/delivery/outcomes/entry.ts';
import { findSegments } from '../../src/modules/delivery/outcomes/find-segments.ts';
import { senderSession } from './outcome-writer.ts';
import { type Stage, stage, UNIT_PRICE } from './stage.ts';

const CHUNKS = 4;
const SIZE = 200;

/** Form of the ids that a carrier gives, and the hash by which their packs are found. */
interface Ids {
  idOf(chunk: number, place: number): string;
  hashOf(id: string): number;
}
const SHORT_IDS: Ids = { idOf: (chunk, place) => `${chunk}-${place}`, hashOf: idHash };

/** Writes chunks of messages with packed answers, one pack each. Returns the chunks. */
async function answered(s: Stage, daysAgo: number, { idOf, hashOf } = SHORT_IDS): Promise<number[]> {
  const day = Math.floor(Date.now() / 86_400_000) - daysAgo;
  const date = new Date(day * 86_400_000).toISOString();
  await s.owner.query('SELECT ensure_partitions($1::date, $1::date)', [date.slice(0, 10)]);
  const chunks: number[] = [];
  for (let each = 0; each < CHUNKS; each++) {
    const { id } = await s.one<{ id: number }>(
      `INSERT INTO chunk (id, corporation_id, billing_account_id, link_id, class, sender_id, common_text, size, cursor, state, created_at)
       VALUES (($1::bigint << 28) + nextval('chunk_sequence'), $2, $3, $4, 'bulk', 'Acme', 'Hello', $5, $5, 'done', $6) RETURNING id`,
      [day, s.corporationId, s.accountId, s.linkId, SIZE, date],
    );
    const ids = Array.from({ length: SIZE }, (_, place) => idOf(each, place));
    await s.owner.query(
      `INSERT INTO message (id, corporation_id, unit_price, parts, unicode, msisdn)
       SELECT ($1::bigint << 10) + place, $2, $3, 1, false, (639170000000 + place)::text FROM generate_series(0, $4 - 1) place`,
      [id, s.corporationId, UNIT_PRICE, SIZE],
    );
    await s.owner.query(
      `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        id,
        s.corporationId,
        s.linkId,
        date,
        ids.map((_, place) => place).join(),
        ids.map(() => 5).join(),
        ids.join('\x1f'),
        [...new Set(ids.map(hashOf))],
      ],
    );
    chunks.push(id);
  }
  return chunks;
}

test('a late receipt finds the newest message and recalls its open neighbors', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 1 });
  const old = await answered(s, 20);
  const client = await senderSession(s, 'finder').client();
  const linked = (id: string): LinkedId => ({ carrier_id: id, link_id: s.linkId });
  const all = old.flatMap((_, chunk) => Array.from({ length: SIZE }, (_, place) => linked(`${chunk}-${place}`)));
  const chunksOf = async (wanted: readonly LinkedId[], recall?: Parameters<typeof findSegments>[2]) => {
    const found = await findSegments(client, wanted, recall);
    return wanted.map((id) => found.get(keyOfId(id))?.message.chunk.id);
  };
  const ofAll = (chunks: readonly number[]) => chunks.flatMap((chunk) => Array<number>(SIZE).fill(chunk));
  assert.deepEqual(await chunksOf(all), ofAll(old), 'messages of older days');

  const young = await answered(s, 0);
  assert.deepEqual(await chunksOf(all), ofAll(young), 'an id that came again means its newest message');
  assert.deepEqual(await chunksOf([{ ...linked('1-1'), link_id: s.linkId + 1 }, linked('9-9')]), [
    undefined,
    undefined,
  ]);

  // The first message of each chunk has ended.
  await s.owner.query(
    `INSERT INTO chunk_state (chunk_id, corporation_id, states) SELECT id, $2, '\\x31'::bytea FROM unnest($1::bigint[]) AS u(id)`,
    [young, s.corporationId],
  );
  const recalled = new Map<string, number>();
  const wanted = [linked('2-7'), linked('9-9')];
  const chunks = await chunksOf(wanted, (id, { message }) => {
    recalled.set(id.carrier_id, message.chunk.id);
    assert.equal(message.unit_price, UNIT_PRICE);
    assert.equal(message.msisdn, String(639_170_000_000 + Number(id.carrier_id.split('-')[1])));
  });
  assert.deepEqual(chunks, [young[2], undefined]);
  assert.equal(recalled.size, SIZE - 2, 'neither the one that was searched nor the one that has ended');
  assert.ok([...recalled.values()].every((chunk) => chunk === young[2]));
  assert.ok(!recalled.has('2-0') && !recalled.has('2-7'));
});

test('ids that count share hashes, and each finds its message, as old ones do', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 1 });
  const client = await senderSession(s, 'finder').client();
  const counter = (first: number, hashOf: Ids['hashOf']): Ids => ({
    idOf: (chunk, place) => String(first + chunk * SIZE + place),
    hashOf,
  });
  const kinds = [counter(7_000_000_000, idHash), counter(8_000_000_000, wholeIdHash)] as const;
  for (const [daysAgo, ids] of kinds.entries()) {
    const chunks = await answered(s, daysAgo, ids);
    const wanted = chunks.flatMap((_, chunk) =>
      Array.from({ length: SIZE }, (_, place): LinkedId => ({ carrier_id: ids.idOf(chunk, place), link_id: s.linkId })),
    );
    const found = await findSegments(client, wanted, () => undefined);
    assert.deepEqual(
      wanted.map((id) => found.get(keyOfId(id))?.message.chunk.id),
      chunks.flatMap((chunk) => Array<number>(SIZE).fill(chunk)),
    );
  }
  const { most } = await s.one<{ most: number }>(
    'SELECT max(cardinality(id_hashes)) AS most FROM answer_pack WHERE chunk_id >= (SELECT max(chunk_id) FROM answer_pack) - $1',
    [CHUNKS],
  );
  assert.equal(most, SIZE / 100);
  for (const id of ['', '1', '123456', '1234567', 'ab-ünï-cödé', '0'.repeat(64)]) {
    const { hash } = await s.one<{ hash: number }>('SELECT id_hash($1) AS hash', [id]);
    assert.equal(hash, idHash(id), id);
  }
});
