import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type pg from 'pg';

const DAY_MS = 86_400_000;

/** A chunk whose packs are written. */
export interface PackedChunk {
  id: number;
  corporation_id: number;
  link_id: number;
}

/** Writes packs as senders write them: several of a chunk, out of order, minutes apart, with PDUs of any size. */
export async function addPacks(owner: pg.Pool, chunks: readonly PackedChunk[], seed: number): Promise<void> {
  const pack = fc.record({
    chunk: fc.integer({ min: 0, max: chunks.length - 1 }),
    seconds: fc.integer({ min: 0, max: 150_000 }),
    // Places beyond those of the chunk's messages: only the packs know them.
    entries: fc.uniqueArray(
      fc.record({
        place: fc.integer({ min: 500, max: 1_000 }),
        delay: fc.integer({ min: -20, max: 60_000 }),
        size: fc.nat(300),
      }),
      { selector: ({ place }) => place, minLength: 1, maxLength: 40 },
    ),
  });
  for (const [i, { chunk, seconds, entries }] of fc.sample(pack, { numRuns: 60, seed }).entries()) {
    const { id, corporation_id, link_id } = chunks[chunk]!;
    const at = new Date(Date.now() - DAY_MS + seconds * 333).toISOString();
    const ids = entries.map(({ place }) => `made-${seed}-${i}-${place}`);
    const [places, delays] = [entries.map((e) => e.place).join(), entries.map((e) => e.delay).join()];
    await owner.query(
      `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
       SELECT $1, $2, $3, $4::timestamptz + $8 * interval '1 microsecond', $5, $6, $7, array_agg(id_hash(i)) FROM string_to_table($7, E'\\x1f') AS i`,
      [id, corporation_id, link_id, at, places, delays, ids.join('\x1f'), i],
    );
    await owner.query(
      `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
       VALUES ($1, $2, $3, $4::timestamptz + $10 * interval '1 microsecond', $5, $6, $7, $8, $9)`,
      [
        id,
        corporation_id,
        link_id,
        at,
        places,
        delays,
        ids.join('\x1f'),
        entries.map((e) => e.size).join(),
        Buffer.concat(entries.map((e) => Buffer.alloc(e.size, e.place % 251))),
        i,
      ],
    );
  }
}

/** Writes chunks of a few messages each to a day of their own, whose PDUs compress well or not at all. */
export async function writeSmallPacks(
  owner: pg.Pool,
  like: PackedChunk,
  day: string,
  { chunks, entries, pdu, random }: { chunks: number; entries: number; pdu: number; random: boolean },
): Promise<void> {
  const first = (Date.parse(day) / DAY_MS) * 2 ** 28 + 2 ** 20;
  const { rows: columns } = await owner.query<{ attname: string }>(
    `SELECT attname FROM pg_attribute WHERE attrelid = 'chunk'::regclass AND attnum > 0
       AND NOT attisdropped AND attgenerated = '' AND attname NOT IN ('id', 'size', 'campaign_id', 'settled')`,
  );
  const names = columns.map(({ attname }) => attname).join();
  await owner.query(
    `INSERT INTO chunk (id, size, settled, ${names}) SELECT ${first} + n, 1000, true, ${names}
     FROM chunk, generate_series(0, ${chunks - 1}) AS n WHERE chunk.id = ${like.id}`,
  );
  // A transaction for each pack, as of senders.
  for (let n = 0; n < chunks; n++) {
    const ids = Array.from({ length: entries }, (_, i) => `small-${first + n}-${i}`).join('\x1f');
    const places = Array.from({ length: entries }, (_, i) => i).join();
    const raw = Array.from({ length: entries }, (_, i) => (random ? randomBytes(pdu) : Buffer.alloc(pdu, i)));
    const of = [first + n, like.corporation_id, like.link_id, `${day}T10:00:00Z`, places, places, ids];
    await owner.query(
      `INSERT INTO answer_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
       SELECT $1, $2, $3, $4, $5, $6, $7, array_agg(id_hash(i)) FROM string_to_table($7, E'\\x1f') AS i`,
      of,
    );
    await owner.query(
      `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [...of, raw.map(({ length }) => length).join(), Buffer.concat(raw)],
    );
  }
}
