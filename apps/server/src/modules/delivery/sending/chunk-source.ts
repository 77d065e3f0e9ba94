import type pg from 'pg';
import type { MessageClass } from '#platform/database/schema';
import { FairTurns } from '#platform/structures/fair-turns';
import type { KeyConfig } from '#platform/text/text-keys';
import type { ChunkColumns, ChunkContext, Message } from '../segment.ts';
import { AllowanceWait } from './allowance-wait.ts';
import { ClassShares } from './class-shares.ts';
import { inMemory, type LoadedChunk, loadedChunk } from './loaded-chunk.ts';
import { CLASSES, isUrgent, URGENCY } from './message-class.ts';
import { openTexts } from './open-texts.ts';
import { findChunks, readMessages, SMALL } from './read-chunks.ts';
import type { Throughput } from './throughput.ts';

/** Consecutive messages of one chunk, taken to be handed over. */
export interface Slice {
  chunk: ChunkContext;
  /** Place of the first message. */
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
/**
 * Maximum chunks without a campaign, over all corporations, if those of the last look were small: small batches make
 * many.
 */
const MOST_SMALL_CHUNKS = 400;
/** Pause before the chunk of a refused slice is looked at again, to avoid a tight loop. */
const AFTER_REFUSAL_MS = 200;
const LOW_WATER = 2_000;

/**
 * Messages that wait for one link, read ahead chunk by chunk. Urgent classes go first without starving the others.
 * Within a class corporations share equally, as far as their throughput allows; within a corporation its campaigns take
 * turns.
 */
export class ChunkSource {
  readonly #linkId: number;
  readonly #client: () => Promise<pg.Client>;
  readonly #bulkClient: () => Promise<pg.Client>;
  readonly #config: KeyConfig;
  readonly #onMore: () => void;
  readonly #onError: (error: unknown) => void;
  readonly #lanes = new Map<MessageClass, Map<string, Stream>>(CLASSES.map((name) => [name, new Map()]));
  readonly #held = new Map<number, LoadedChunk>();
  readonly #throughput: Throughput;
  readonly #classes = new ClassShares(CLASSES);
  readonly #turns = new Map<MessageClass, FairTurns<number>>(CLASSES.map((name) => [name, new FairTurns()]));
  readonly #allowance: AllowanceWait;
  #turn = 0;
  #refreshing = false;
  #again = false;
  #notBefore = 0;
  /** Maximum chunks without a campaign that the next look takes from each corporation. */
  #loose = LOOSE_CHUNKS;
  /** Classes in which the last look found chunks that were not in memory: there may be more. */
  #unread: ReadonlySet<MessageClass> = new Set();

  constructor(
    linkId: number,
    throughput: Throughput,
    client: () => Promise<pg.Client>,
    bulkClient: () => Promise<pg.Client>,
    config: KeyConfig,
    onMore: () => void,
    onError: (error: unknown) => void,
  ) {
    this.#linkId = linkId;
    this.#throughput = throughput;
    this.#client = client;
    this.#bulkClient = bulkClient;
    this.#config = config;
    this.#onMore = onMore;
    this.#allowance = new AllowanceWait(onMore);
    this.#onError = onError;
  }

  /** Looks for open chunks; calls onMore when messages of new chunks are in memory. Never rejects. */
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
    const rows = await findChunks(client, this.#linkId, held, ahead, this.#loose);
    const loading = rows
      .filter((row) => !this.#held.has(row.chunk_id) && row.cursor < row.size)
      .flatMap((row) => {
        const stream = this.#stream(row);
        // Chunks in hand count too, or a long queue would be read into memory whole. Without a campaign chunks are
        // small.
        if (row.campaign_id === null ? inMemory(stream.chunks) >= LOW_WATER : stream.chunks.length >= ahead) return [];
        const chunk = loadedChunk(row);
        stream.chunks.push(chunk);
        this.#held.set(row.chunk_id, chunk);
        return [chunk];
      });
    this.#unread = new Set(rows.map((row) => row.class));
    const { small = [], large = [] } = Object.groupBy(loading, (chunk) =>
      chunk.size - chunk.from <= SMALL ? 'small' : 'large',
    );
    const corporations = new Set(small.map(({ context }) => context.corporation_id)).size;
    this.#loose = Math.max(
      LOOSE_CHUNKS,
      small.length < LOOSE_CHUNKS ? 0 : Math.floor(MOST_SMALL_CHUNKS / corporations),
    );
    const { urgent = [], bulk = [] } = Object.groupBy(large, ({ context }) => URGENCY[context.class]);
    const first = [...(small.length > 0 ? [small] : []), ...urgent.map((chunk) => [chunk])];
    const loads = first.map((chunks) => this.#load(client, chunks));
    // The next look, which may find urgent messages, does not wait for these.
    for (const chunk of bulk) this.#load(this.#bulkClient(), [chunk]).catch(this.#onError);
    await Promise.all(loads);
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

  async #load(session: pg.Client | Promise<pg.Client>, chunks: readonly LoadedChunk[]): Promise<void> {
    try {
      const client = await session;
      const read = await readMessages(client, chunks);
      await openTexts(client, this.#config, read);
      for (const [place, messages] of read.entries()) Object.assign(chunks[place]!, { messages, row: undefined });
      this.#onMore();
    } catch (error) {
      // An unreadable chunk must not hold up the others.
      if (chunks.length > 1) return void (await Promise.all(chunks.map((chunk) => this.#load(session, [chunk]))));
      this.drop(chunks[0]!.context.id);
      throw error;
    }
  }

  /** Whether any message except bulk may leave now. */
  get hasUrgent(): boolean {
    return CLASSES.some((name) => isUrgent(name) && this.#ready(name).length > 0);
  }

  /**
   * Takes messages of about `parts` segments in all, at most `bulk` of them of bulk; the last message may exceed that.
   * The slices of a chunk must be committed in the order in which they were taken.
   */
  take(parts: number, bulk: number): Slice[] {
    const slices: Slice[] = [];
    this.#classes.share(
      parts,
      (name) => this.#ready(name).length > 0,
      (name, room) => this.#takeFrom(name, isUrgent(name) ? room : Math.min(room, bulk), slices),
    );
    this.#allowance.begin();
    if (CLASSES.some((name) => this.#unread.has(name) && this.#inMemory(name) < LOW_WATER)) void this.refresh();
    return slices;
  }

  #inMemory(name: MessageClass): number {
    let sum = 0;
    for (const { chunks } of this.#lanes.get(name)!.values()) sum += inMemory(chunks);
    return sum;
  }

  /** Answers the streams of a class that may send now: their messages are in memory, and their throughput allows it. */
  #ready(name: MessageClass): Stream[] {
    return [...this.#lanes.get(name)!.values()].filter(({ chunks: [chunk] }) => {
      if (!chunk?.messages) return false;
      if (this.#throughput.room(chunk.context) > 0) return true;
      this.#allowance.note(this.#throughput.waitMs(chunk.context));
      return false;
    });
  }

  /** Takes one lane's share: the same for each corporation, and the same for each of its streams. */
  #takeFrom(name: MessageClass, room: number, slices: Slice[]): number {
    const turns = this.#turns.get(name)!;
    let taken = 0;
    for (;;) {
      const ready = this.#ready(name);
      if (ready.length === 0 || taken >= room) return taken;
      const corporations = Map.groupBy(ready, ({ corporation }) => corporation);
      const turn = this.#turn++;
      const share = Math.max(1, Math.floor((room - taken) / corporations.size));
      for (const corporation of turns.order([...corporations.keys()])) {
        const streams = corporations.get(corporation)!;
        const each = Math.max(1, Math.floor(share / streams.length));
        for (const stream of rotated(streams, turn)) {
          if (taken >= room) return taken;
          const parts = this.#slice(stream, Math.min(each, room - taken), slices);
          turns.count(corporation, parts);
          taken += parts;
        }
      }
    }
  }

  #slice(stream: Stream, room: number, slices: Slice[]): number {
    const [chunk] = stream.chunks;
    if (!chunk?.messages) return 0;
    const from = chunk.cursor;
    const end = Math.min(chunk.size, from + this.#throughput.room(chunk.context));
    if (from === end) return 0;
    let parts = 0;
    const messages: Message[] = [];
    while (parts < room && chunk.cursor < end) {
      const message = chunk.messages[chunk.cursor - chunk.from]!;
      messages.push(message);
      parts += message.parts;
      chunk.cursor++;
    }
    this.#throughput.take(chunk.context, messages.length);
    // It stays held until the intent of its last slice is decided, or it would be found again.
    if (chunk.cursor === chunk.size) stream.chunks.shift();
    slices.push({ chunk: chunk.context, from, messages, parts });
    return parts;
  }

  /** Notes that the intent of a slice was committed. */
  committed(slice: Slice): void {
    const chunk = this.#held.get(slice.chunk.id);
    if (chunk && slice.from + slice.messages.length === chunk.size) this.#held.delete(slice.chunk.id);
  }

  /** Drops the chunk of a refused slice from memory: stopped, paused, expired, or not ours any more. */
  refused(slice: Slice): void {
    this.#throughput.giveBack(slice.chunk, slice.messages.length);
    this.#notBefore = performance.now() + AFTER_REFUSAL_MS;
    this.drop(slice.chunk.id);
  }

  /** Drops a chunk from memory; an open one will be found again. */
  drop(chunkId: number): void {
    this.#held.delete(chunkId);
    this.#unread = new Set(CLASSES);
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
