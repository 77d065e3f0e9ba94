import { crc32 } from 'node:zlib';
import type pg from 'pg';
import type { CopyRows } from '#platform/driver/copy-rows';
import { messageId, placeOf } from '../message-id.ts';
import type { Message } from '../segment.ts';
import { copyByDay } from './copy-by-day.ts';
import type { Ending, IncomingReceipt, Submission } from './entry.ts';

/** Separator of carrier ids; an id that contains it is not packed. */
const SEPARATOR = '\x1f';

const ANSWER_COLUMNS = 'chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes';
const RECEIPT_COLUMNS = 'chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw';

/** Answer to an accepted message of one part, which may be packed. */
export type PlainAnswer = Submission & { carrier_id: string };
/** Receipt that reports a message of one part as delivered. */
export type PlainReceipt = Ending & { receipt: IncomingReceipt };

/** Answers whether an answer needs no row of its own. */
export const isPlainAnswer = (s: Submission): s is PlainAnswer =>
  s.command_status === 0 && s.segment.message.parts === 1 && s.carrier_id !== null && !s.carrier_id.includes(SEPARATOR);

/** Answers whether an outcome needs no row of its own. */
export const isPlainReceipt = (e: Ending): e is PlainReceipt =>
  e.state === 'delivered' &&
  e.message.parts === 1 &&
  e.receipt !== undefined &&
  !e.receipt.carrier_id.includes(SEPARATOR);

/** Number of characters at the end of a carrier id that its hash leaves out, if the id has more than `SHORT`. */
const LEFT_OUT = 2;
const SHORT = 6;

/**
 * Computes the hash by which answers with a carrier id are found; the schema's id_hash is the same. Most carriers count, so a
 * hundred ids that were given in a row share a hash, and a pack needs few.
 */
export const idHash = (carrierId: string): number =>
  wholeIdHash(carrierId.length > SHORT ? carrierId.slice(0, -LEFT_OUT) : carrierId);

/** Computes the hash of packs that were written before ids shared one. */
export const wholeIdHash = (carrierId: string): number => crc32(carrierId) | 0;

/** A row of answers, as read. */
export interface AnswerPack {
  chunk_id: number;
  link_id: number;
  /** Epoch milliseconds. */
  at: number;
  places: string;
  delays: string;
  carrier_ids: string;
}

/** Unpacks the answers of a row. */
export function unpackAnswers({ chunk_id, at, places, delays, carrier_ids }: AnswerPack) {
  const after = delays.split(',');
  const ids = carrier_ids.split(SEPARATOR);
  return places.split(',').map((place, i) => ({
    message_id: messageId(chunk_id, Number(place)),
    carrier_id: ids[i]!,
    answered_at: at + Number(after[i]),
  }));
}

/** Entries of one chunk and link, which make one row. */
interface Pack<Entry> {
  message: Message;
  link_id: number;
  entries: Entry[];
}

function packed<Entry>(
  entries: readonly Entry[],
  messageOf: (entry: Entry) => Message,
  linkOf: (entry: Entry) => number,
): Pack<Entry>[] {
  const packs: Pack<Entry>[] = [];
  const byChunk = new Map<number, Pack<Entry>[]>();
  for (const entry of entries) {
    const message = messageOf(entry);
    const link_id = linkOf(entry);
    const ofChunk = byChunk.get(message.chunk.id) ?? [];
    const pack = ofChunk.find((each) => each.link_id === link_id);
    if (pack) {
      pack.entries.push(entry);
      continue;
    }
    const first = { message, link_id, entries: [entry] };
    byChunk.set(message.chunk.id, [...ofChunk, first]);
    packs.push(first);
  }
  return packs;
}

function writeHead(copy: CopyRows, { message: { chunk }, link_id }: Pack<unknown>, at: number) {
  copy.row(64);
  copy.bigint(chunk.id);
  copy.bigint(chunk.corporation_id);
  copy.bigint(link_id);
  copy.moment(at);
}

/** Appends answers, one row for each chunk and link. */
export async function packAnswers(client: pg.Client, answers: readonly PlainAnswer[]): Promise<void> {
  const packs = packed(
    answers,
    (answer) => answer.segment.message,
    (answer) => answer.link_id,
  );
  await copyByDay(
    client,
    'answer_pack',
    ANSWER_COLUMNS,
    packs,
    ({ message }) => message.id,
    (copy, pack) => {
      const { entries } = pack;
      const { at } = entries[0]!;
      writeHead(copy, pack, at);
      copy.text(entries.map((e) => placeOf(e.segment.message.id)).join());
      copy.text(entries.map((e) => Math.round(e.at - at)).join());
      copy.text(entries.map((e) => e.carrier_id).join(SEPARATOR));
      copy.integers([...new Set(entries.map((e) => idHash(e.carrier_id)))]);
    },
  );
}

/** Appends receipts with their PDUs, one row for each chunk and link. */
export async function packReceipts(client: pg.Client, ends: readonly PlainReceipt[]): Promise<void> {
  const packs = packed(
    ends,
    (end) => end.message,
    (end) => end.receipt.link_id,
  );
  await copyByDay(
    client,
    'receipt_pack',
    RECEIPT_COLUMNS,
    packs,
    ({ message }) => message.id,
    (copy, pack) => {
      const { entries } = pack;
      const { at } = entries[0]!;
      writeHead(copy, pack, at);
      copy.text(entries.map((e) => placeOf(e.message.id)).join());
      copy.text(entries.map((e) => Math.round((e.at - at) * 1_000)).join());
      copy.text(entries.map((e) => e.receipt.carrier_id).join(SEPARATOR));
      copy.text(entries.map(({ receipt: { frame } }) => frame.end - frame.start).join());
      copy.spans(entries.map(({ receipt }) => receipt.frame));
    },
  );
}
