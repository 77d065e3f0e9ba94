import type pg from 'pg';
import type { MessageClass } from '#platform/schema';
import { numberArray } from '../array-literal.ts';
import { messageId } from '../message-id.ts';
import { CHUNK_COLUMNS, type ChunkColumns, type ChunkContext, chunkContext, type Message } from '../segment.ts';
import { nextReference } from './reference.ts';

/** In the order in which they leave. */
export const CLASSES: readonly MessageClass[] = ['otp', 'transactional', 'bulk'];

// Of every running campaign its next chunks, and the next of those without a campaign. Both are short walks along an
// index of open chunks, however long the queues are.
const FIND_CHUNKS = {
  name: 'find-chunks',
  text: `
    SELECT ${CHUNK_COLUMNS}, k.size, k.cursor FROM campaign c
    CROSS JOIN unnest($2::message_class[]) AS lane(class)
    CROSS JOIN LATERAL (
      SELECT * FROM chunk WHERE link_id = $1 AND class = lane.class AND campaign_id = c.id AND state = 'open'
        AND id <> ALL ($3::bigint[])
      ORDER BY id LIMIT $4
    ) k
    WHERE c.state = 'running' AND (c.expires_at IS NULL OR c.expires_at > now())
    UNION ALL
    SELECT ${CHUNK_COLUMNS}, k.size, k.cursor FROM unnest($2::message_class[]) AS lane(class)
    CROSS JOIN LATERAL (
      SELECT * FROM chunk WHERE link_id = $1 AND class = lane.class AND campaign_id IS NULL AND state = 'open'
        AND id <> ALL ($3::bigint[]) AND (expires_at IS NULL OR expires_at > now())
      ORDER BY id LIMIT $5
    ) k
    LEFT JOIN campaign c ON c.id = k.campaign_id
    ORDER BY chunk_id`,
};

const READ_MESSAGES = {
  name: 'read-messages',
  text: `SELECT msisdn, text, parts, unit_price FROM message WHERE id >= $1 AND id < $2 ORDER BY id`,
  rowMode: 'array' as const,
};

/** A chunk whose messages are in memory. */
interface LoadedChunk {
  context: ChunkContext;
  /** Place of the first message not taken yet. */
  cursor: number;
  size: number;
  /** Those from `from` on; undefined while they are being read. */
  messages: Message[] | undefined;
  from: number;
}

/** Messages of one chunk, one after another, taken to be handed over. */
export interface Slice {
  chunk: ChunkContext;
  /** Place of the first. */
  from: number;
  messages: Message[];
  parts: number;
}

/** Chunks of one campaign (or of one corporation's messages without a campaign). */
interface Stream {
  corporation: number;
  chunks: LoadedChunk[];
}

const CHUNKS_AHEAD = 6;
const CHUNKS_AHEAD_OF_MANY = 2;
const MANY_STREAMS = 4;
const LOOSE_CHUNKS = 20;
/** After a slice was refused its chunk is looked at again, but not in a tight loop. */
const AFTER_REFUSAL_MS = 200;
const LOW_WATER = 2_000;

/**
 * The messages that wait for one link, read ahead chunk by chunk. Classes go strictly in their order; within a class
 * corporations take turns, and within a corporation its campaigns do.
 */
export class ChunkSource {
  readonly #linkId: number;
  readonly #client: () => Promise<pg.Client>;
  readonly #onMore: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #lanes = new Map<MessageClass, Map<string, Stream>>(CLASSES.map((name) => [name, new Map()]));
  readonly #held = new Map<number, LoadedChunk>();
  #turn = 0;
  #refreshing = false;
  #again = false;
  #notBefore = 0;
  #exhausted = true;

  constructor(linkId: number, client: () => Promise<pg.Client>, onMore: () => void, onError: (error: unknown) => void) {
    this.#linkId = linkId;
    this.#client = client;
    this.#onMore = onMore;
    this.#onError = onError;
  }

  /** Looks for open chunks; calls onMore when messages of new ones are in memory. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#refreshing) {
      this.#again = true;
      return;
    }
    this.#refreshing = true;
    try {
      do {
        this.#again = false;
        await this.#find();
      } while (this.#again);
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#refreshing = false;
    }
  }

  async #find(): Promise<void> {
    if (performance.now() < this.#notBefore) return;
    const client = await this.#client();
    const streams = [...this.#lanes.values()].reduce((sum, lane) => sum + lane.size, 0);
    const ahead = streams > MANY_STREAMS ? CHUNKS_AHEAD_OF_MANY : CHUNKS_AHEAD;
    const held = [...this.#held.keys()];
    const { rows } = await client.query<ChunkColumns & { size: number; cursor: number }>({
      ...FIND_CHUNKS,
      values: [this.#linkId, [...CLASSES], numberArray(held), ahead, LOOSE_CHUNKS],
    });
    const loading = rows
      .filter((row) => !this.#held.has(row.chunk_id) && row.cursor < row.size)
      .flatMap((row) => {
        const stream = this.#stream(row);
        // Those in hand count too, or a long queue would be read into memory whole.
        if (row.campaign_id !== null && stream.chunks.length >= ahead) return [];
        const chunk: LoadedChunk = {
          context: chunkContext(row),
          cursor: row.cursor,
          size: row.size,
          messages: undefined,
          from: row.cursor,
        };
        stream.chunks.push(chunk);
        this.#held.set(row.chunk_id, chunk);
        return [this.#load(client, chunk)];
      });
    this.#exhausted = rows.length === 0;
    await Promise.all(loading);
  }

  #stream(row: ChunkColumns): Stream {
    const lane = this.#lanes.get(row.class)!;
    const key = row.campaign_id === null ? `corporation ${row.corporation_id}` : String(row.campaign_id);
    let stream = lane.get(key);
    if (!stream) {
      stream = { corporation: row.corporation_id, chunks: [] };
      lane.set(key, stream);
    }
    return stream;
  }

  async #load(client: pg.Client, chunk: LoadedChunk): Promise<void> {
    const { context, from, size } = chunk;
    try {
      const { rows } = await client.query<[string, string | null, number, number]>({
        ...READ_MESSAGES,
        values: [messageId(context.id, from), messageId(context.id, size)],
      });
      if (rows.length !== size - from) throw new Error(`the chunk ${context.id} lacks messages`);
      chunk.messages = rows.map(([msisdn, text, parts, unit_price], index) => ({
        id: messageId(context.id, from + index),
        chunk: context,
        msisdn,
        text,
        parts,
        unit_price,
        reference: parts > 1 ? nextReference(msisdn) : 0,
        answered_at: 0,
        ended: false,
      }));
      this.#onMore();
    } catch (error) {
      this.drop(context.id);
      throw error;
    }
  }

  /**
   * Takes messages of about `parts` segments in all; the last one may have more. The slices of a chunk must be
   * committed in the order in which they were taken.
   */
  take(parts: number): Slice[] {
    const slices: Slice[] = [];
    let room = parts;
    for (const name of CLASSES) {
      if (room > 0) room -= this.#takeFrom(this.#lanes.get(name)!, room, slices);
    }
    if (!this.#exhausted && this.#inMemory() < LOW_WATER) void this.refresh();
    return slices;
  }

  #inMemory(): number {
    let sum = 0;
    for (const { size, cursor } of this.#held.values()) sum += size - cursor;
    return sum;
  }

  /** One lane's share: each corporation as much as any other, each of its streams as much as any other. */
  #takeFrom(lane: Map<string, Stream>, room: number, slices: Slice[]): number {
    let taken = 0;
    for (;;) {
      const ready = [...lane.values()].filter((stream) => stream.chunks[0]?.messages);
      if (ready.length === 0 || taken >= room) return taken;
      const corporations = Map.groupBy(ready, ({ corporation }) => corporation);
      const turn = this.#turn++;
      const share = Math.max(1, Math.floor((room - taken) / corporations.size));
      for (const streams of rotated([...corporations.values()], turn)) {
        const each = Math.max(1, Math.floor(share / streams.length));
        for (const stream of rotated(streams, turn)) {
          if (taken >= room) return taken;
          taken += this.#slice(stream, Math.min(each, room - taken), slices);
        }
      }
    }
  }

  #slice(stream: Stream, room: number, slices: Slice[]): number {
    const [chunk] = stream.chunks;
    if (!chunk?.messages) return 0;
    const from = chunk.cursor;
    let parts = 0;
    const messages: Message[] = [];
    while (parts < room && chunk.cursor < chunk.size) {
      const message = chunk.messages[chunk.cursor - chunk.from]!;
      messages.push(message);
      parts += message.parts;
      chunk.cursor++;
    }
    // It stays held until the intent of its last slice is decided, or it would be found again meanwhile.
    if (chunk.cursor === chunk.size) stream.chunks.shift();
    slices.push({ chunk: chunk.context, from, messages, parts });
    return parts;
  }

  /** The intent of a slice was committed. */
  committed(slice: Slice): void {
    const chunk = this.#held.get(slice.chunk.id);
    if (chunk && slice.from + slice.messages.length === chunk.size) this.#held.delete(slice.chunk.id);
  }

  /** A slice was refused: stopped, paused, expired, or not ours any more. What is in memory of its chunk is forgotten. */
  refused(slice: Slice): void {
    this.#notBefore = performance.now() + AFTER_REFUSAL_MS;
    this.drop(slice.chunk.id);
  }

  /** Forgets a chunk; if it is open it will be found again. */
  drop(chunkId: number): void {
    this.#held.delete(chunkId);
    this.#exhausted = false;
    for (const lane of this.#lanes.values()) {
      for (const [key, stream] of lane) {
        stream.chunks = stream.chunks.filter(({ context }) => context.id !== chunkId);
        if (stream.chunks.length === 0) lane.delete(key);
      }
    }
  }
}

function rotated<T>(list: readonly T[], turn: number): T[] {
  const at = turn % list.length;
  return at === 0 ? [...list] : [...list.slice(at), ...list.slice(0, at)];
}
