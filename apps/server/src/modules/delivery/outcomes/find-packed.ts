import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import { chunkOf, placeOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import { CHUNK_COLUMNS, type ChunkColumns, type ChunkContext, chunkContext, type Segment } from '../segment.ts';
import { hasEnded } from './chunk-states.ts';
import { type AnswerPack, idHash, unpackAnswers, wholeIdHash } from './compact-outcomes.ts';
import { keyOfId, type LinkedId } from './entry.ts';

// One search of the index for each hash: a search for all hashes together compares each with each. A pack that many of
// the ids are in is answered once.
const FIND_PACKS = {
  name: 'find-answer-packs',
  text: `
    SELECT DISTINCT ON (p.tableoid, p.ctid) p.tableoid, p.ctid, p.chunk_id, p.link_id,
      extract(epoch FROM p.at)::float8 * 1000 AS at, p.places, p.delays, p.carrier_ids
    FROM unnest($1::integer[]) AS w(hash) JOIN answer_pack p ON p.id_hashes @> ARRAY[w.hash]
    WHERE p.chunk_id >= $2 AND p.chunk_id < $3`,
};
const READ_MESSAGES = {
  name: 'read-packed-messages',
  text: 'SELECT id, unit_price, msisdn FROM message WHERE id = ANY ($1::bigint[])',
};
const READ_CHUNKS = {
  name: 'read-packed-chunks',
  text: `
    SELECT ${CHUNK_COLUMNS}, s.states
    FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id LEFT JOIN chunk_state s ON s.chunk_id = k.id
    WHERE k.id = ANY ($1::bigint[])`,
};

/** One of so many ids is searched first; the packs it is in usually contain the ids around it. */
const SAMPLE = 32;
/** Number of searched ids in a pack from which its other answers are remembered as well. */
const NEIGHBOURS = 4;

/** Takes a segment whose receipt was not searched, but is likely to come soon. */
export type Recall = (id: LinkedId, segment: Segment) => void;

/** Chunks whose answers are searched: from the first, and before the second. */
export type ChunkRange = readonly [from: number, before: number];

interface Answer extends LinkedId {
  message_id: number;
  answered_at: number;
}

/**
 * Finds the segments whose packed answers have the ids, by `keyOfId`. Receipts of messages that left together come
 * together, so a few ids are searched first. `recall` takes the other answers of their packs that still have no end.
 */
export async function findPacked(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  range: ChunkRange,
  recall?: Recall,
): Promise<Map<string, Segment>> {
  const found = await findHashed(client, wanted, range, idHash, recall);
  const others = wanted.filter((each) => !found.has(keyOfId(each)));
  if (others.length === 0) return found;
  return new Map([...found, ...(await findHashed(client, others, range, wholeIdHash, recall))]);
}

/** Finds the segments whose packs are known by a hash. */
async function findHashed(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly LinkedId[],
  range: ChunkRange,
  hashOf: (carrierId: string) => number,
  recall?: Recall,
): Promise<Map<string, Segment>> {
  const all = { client, range, hashOf, recall };
  if (!recall) return searchPacks(all, wanted, Number.POSITIVE_INFINITY);
  const keys = new Set(wanted.map(keyOfId));
  const sample = wanted.filter((_, i) => i % SAMPLE === 0);
  const found = await searchPacks(all, sample, 1, keys);
  const others = wanted.filter((each) => !found.has(keyOfId(each)));
  if (others.length === 0) return found;
  return new Map([...found, ...(await searchPacks(all, others, NEIGHBOURS))]);
}

interface Search {
  client: Pick<pg.ClientBase, 'query'>;
  range: ChunkRange;
  hashOf: (carrierId: string) => number;
  recall: Recall | undefined;
}

/** Reads the packs of `ids` and finds all `keys` in them. Recalls the rest of packs that have at least `enough` keys. */
async function searchPacks(
  { client, range: [from, before], hashOf, recall }: Search,
  ids: readonly LinkedId[],
  enough: number,
  keys: ReadonlySet<string> = new Set(ids.map(keyOfId)),
): Promise<Map<string, Segment>> {
  const { rows: packs } = await client.query<AnswerPack>({
    ...FIND_PACKS,
    values: [numberArray([...new Set(ids.map((id) => hashOf(id.carrier_id)))]), from, before],
  });
  const wanted = new Map<string, Answer>();
  const others: Answer[] = [];
  for (const pack of packs) {
    const { link_id } = pack;
    const rest: Answer[] = [];
    let hits = 0;
    for (const each of unpackAnswers(pack)) {
      const answer = { ...each, link_id };
      const key = keyOfId(answer);
      if (!keys.has(key)) rest.push(answer);
      else {
        hits++;
        if ((wanted.get(key)?.message_id ?? 0) < answer.message_id) wanted.set(key, answer);
      }
    }
    if (hits >= enough) others.push(...rest);
  }
  const found = await readSegments(client, [...wanted.values()], others, recall);
  return new Map(
    [...wanted].flatMap(([key, { message_id }]) => {
      const segment = found.get(message_id);
      return segment ? [[key, segment]] : [];
    }),
  );
}

/** Reads the segments of `wanted` by message id, and gives those of `others` that have not ended to `recall`. */
async function readSegments(
  client: Pick<pg.ClientBase, 'query'>,
  wanted: readonly Answer[],
  others: readonly Answer[],
  recall: Recall | undefined,
): Promise<Map<number, Segment>> {
  const answers = [...wanted, ...others];
  if (answers.length === 0) return new Map();
  const ids = answers.map((answer) => answer.message_id);
  const [{ rows: messages }, { rows: chunkRows }] = await together([
    client.query<{ id: number; unit_price: number; msisdn: string }>({ ...READ_MESSAGES, values: [numberArray(ids)] }),
    client.query<ChunkColumns & { states: Buffer | null }>({
      ...READ_CHUNKS,
      values: [numberArray([...new Set(ids.map(chunkOf))])],
    }),
  ]);
  const chunks = new Map(chunkRows.map((row) => [row.chunk_id, { context: chunkContext(row), states: row.states }]));
  const prices = new Map(messages.map((row) => [row.id, row]));
  const segmentOf = ({ message_id: id, answered_at }: Answer): Segment | undefined => {
    const row = prices.get(id);
    const chunk = chunks.get(chunkOf(id));
    return row && chunk && packedSegment(id, row, chunk.context, answered_at);
  };
  for (const answer of others) {
    if (hasEnded(chunks.get(chunkOf(answer.message_id))?.states, placeOf(answer.message_id))) continue;
    const segment = segmentOf(answer);
    if (segment) recall?.(answer, segment);
  }
  return new Map(
    wanted.flatMap((answer) => {
      const segment = segmentOf(answer);
      return segment ? [[answer.message_id, segment]] : [];
    }),
  );
}

/** Builds the segment of a packed answer, which always is the only part of its message. */
const packedSegment = (
  id: number,
  { unit_price, msisdn }: { unit_price: number; msisdn: string },
  chunk: ChunkContext,
  answered_at: number,
): Segment => ({
  message: { id, chunk, msisdn, text: null, parts: 1, unit_price, reference: 0, answered_at },
  part: 1,
  tries: 0,
});
