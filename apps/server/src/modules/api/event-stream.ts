import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listEvents, streamEvents } from '@heliograph/contract/api/event-feed';
import type { FastifyRequest } from 'fastify';
import { EVENTS } from '#modules/events';
import { shownTo } from '#platform/access/hidden-numbers';
import { BusinessError } from '#platform/errors';
import type { FanOut } from '#platform/fan-out/fan-out';
import { readInput } from '#platform/http/read-input';
import { beginningOf, type FeedPage, readFeed, type Wanted } from './event-feed.ts';
import { type Group, groupOf, holdGroup, releaseGroup, storedPlace } from './event-groups.ts';
import type { KeyHolder } from './keyring.ts';
import { type ProgramContext, type PublicApi, provenHolder, readAs } from './mount-public.ts';

/** Open streams of one corporation at one process. */
const MOST_STREAMS = 20;
const RETRY_SECONDS = 10;
const PAGE = 500;
/** Time in ms between two looks at events: the least, after a wake-up, and the most, without one. */
const APART_MS = 200;
const LOOK_MS = 5_000;
/** Interval in ms of the lines that keep a connection open through proxies. */
const ALIVE_MS = 15_000;
/** Time in ms in which a reader must take what was written. */
const TAKEN_MS = 60_000;
/** Time in ms after which a client connects again. */
const AGAIN_MS = 2_000;

const eventShape = listEvents.reply.shape.data.element;

/** Frames of a page, by the section "Server-sent events" of the HTML standard. */
const framesOf = (holder: KeyHolder, { events, cursorAfter }: FeedPage): string =>
  events
    .map((event, place) => {
      const seen = shownTo(holder.caller, eventShape, eventShape.parse(event));
      return `id: ${cursorAfter(place)}\nevent: ${event.type}\ndata: ${JSON.stringify(seen)}\n\n`;
    })
    .join('');

/** An open stream: its connection, the signal that ends it, and what wakes it. */
class Stream {
  readonly raw: ServerResponse;
  readonly end = new AbortController();
  #news = true;
  #woken: () => void = () => undefined;

  constructor(raw: ServerResponse) {
    this.raw = raw;
    raw.once('close', () => this.end.abort());
  }

  /** Says that there may be new events. */
  wake(): void {
    this.#news = true;
    this.#woken();
  }

  /** Says that the events are read now, so that only later ones are news. */
  reads(): void {
    this.#news = false;
  }

  /** Resolves when there may be new events. Rejects when the stream ends. */
  async news(): Promise<void> {
    const { signal } = this.end;
    await sleep(APART_MS, undefined, { signal });
    if (this.#news) return;
    const woken = new Promise<void>((resolve) => {
      this.#woken = resolve;
    });
    await Promise.race([woken, sleep(LOOK_MS, undefined, { signal })]);
  }

  /** Writes text, and resolves when the reader can take more. Rejects when the reader takes nothing. */
  async write(text: string): Promise<void> {
    if (this.raw.write(text)) return;
    await once(this.raw, 'drain', { signal: AbortSignal.any([this.end.signal, AbortSignal.timeout(TAKEN_MS)]) });
  }
}

/** Mounts the stream of events. It ends when the key does, or the process; the client then connects again. */
export function eventStream(api: PublicApi, fanOut: FanOut): { close(): Promise<void> } {
  const { app } = api;
  const open = new Map<number, Set<Stream>>();
  const each = (work: (stream: Stream) => void) => {
    for (const streams of open.values()) for (const stream of streams) work(stream);
  };
  const wakeAll = () => each((stream) => stream.wake());
  const hearing = fanOut.subscribe(EVENTS, wakeAll, wakeAll);
  hearing.catch((error: unknown) => app.log.warn({ err: error }, 'streams of events find news by looking only'));

  app.server.route({
    method: streamEvents.method,
    url: streamEvents.path,
    compress: false,
    handler: async (request, reply) => {
      const holder = await provenHolder(api, request, streamEvents);
      const corporation = holder.caller.corporation_id!;
      const own = open.get(corporation) ?? new Set();
      if (own.size >= MOST_STREAMS) throw new BusinessError('too_many_requests', { retryAfter: RETRY_SECONDS });
      const query = readInput(streamEvents.query, request.query) as Wanted;
      const last = request.headers['last-event-id'];
      const wanted = typeof last === 'string' && last !== '' ? { ...query, cursor: last } : query;
      const { raw } = reply;
      const stream = new Stream(raw);
      open.set(corporation, own.add(stream));
      try {
        // The first page is read before the answer begins, so that a wrong cursor gets an error and no stream.
        const begin = await ready(api, request, holder, wanted);
        reply.hijack();
        const headers = reply.getHeaders() as Record<string, string>;
        raw.writeHead(200, {
          ...headers,
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        });
        await follow(api, request, stream, wanted, begin);
      } catch (error) {
        if (!reply.sent) throw error;
        if (!stream.end.signal.aborted) request.log.warn({ err: error }, 'stream of events ended');
      } finally {
        own.delete(stream);
        if (own.size === 0) open.delete(corporation);
        if (reply.sent) raw.end();
      }
      return reply;
    },
  });
  // The server waits for open answers when it stops; these would not end.
  app.server.addHook('preClose', async () => each(({ end }) => end.abort()));
  return {
    async close() {
      await (await hearing.catch(() => undefined))?.stop();
    },
  };
}

/** Returns the cursor of the beginning. Throws `cursor_invalid`. */
const ready = (api: PublicApi, request: FastifyRequest, holder: KeyHolder, wanted: Wanted) =>
  readAs(api, request, holder, async (ctx) => {
    const after = await beginningOf(ctx, holder, wanted);
    await readFeed(ctx, holder, wanted, { after, limit: 1 });
    return after;
  });

/** Writes events as they come, until the stream ends or the key is no longer good. */
async function follow(
  api: PublicApi,
  request: FastifyRequest,
  stream: Stream,
  wanted: Wanted,
  begin: string | undefined,
): Promise<void> {
  const turn = wanted.group === undefined ? undefined : new Turn(wanted);
  let after = begin;
  let aliveAt = performance.now();
  await stream.write(`retry: ${AGAIN_MS}\n\n`);
  try {
    while (!stream.end.signal.aborted) {
      stream.reads();
      // Once more each time: the key may be revoked, or have lost a right.
      const holder = await provenHolder(api, request, streamEvents);
      const page = await readAs(api, request, holder, async (ctx) => {
        if (turn && !(await turn.take(ctx, holder))) return undefined;
        after = (await turn?.placeAfterWait(ctx)) ?? after;
        return readFeed(ctx, holder, wanted, { after, limit: PAGE });
      });
      const isDue = performance.now() - aliveAt >= ALIVE_MS;
      const text = page && page.events.length > 0 ? framesOf(holder, page) : isDue ? ':\n\n' : '';
      if (text !== '') {
        await stream.write(text);
        aliveAt = performance.now();
      }
      after = page?.cursor ?? after;
      if (!page?.more) await stream.news();
    }
  } finally {
    await turn?.leave(api, request).catch((error: unknown) => request.log.debug({ err: error }, 'group not left'));
  }
}

/** Turn of a connection among those of its group: one at a time reads. */
class Turn {
  readonly #reader = randomUUID();
  readonly #wanted: Wanted;
  #held: { group: Group; holder: KeyHolder } | undefined;
  #waited = false;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  /** Takes or keeps the turn. Returns false while another connection has it. */
  async take(ctx: ProgramContext, holder: KeyHolder): Promise<boolean> {
    const group = groupOf(holder, this.#wanted.group!, this.#wanted.share);
    const isMine = await holdGroup(ctx, group, this.#reader);
    if (!isMine) this.#waited = true;
    this.#held = isMine ? { group, holder } : undefined;
    return isMine;
  }

  /** Returns the place that the connection before stored while this one waited. */
  async placeAfterWait(ctx: ProgramContext): Promise<string | null> {
    if (!this.#waited || !this.#held) return null;
    this.#waited = false;
    return storedPlace(ctx, this.#held.group);
  }

  /** Lets the next connection read. */
  async leave(api: PublicApi, request: FastifyRequest): Promise<void> {
    const held = this.#held;
    if (held) await readAs(api, request, held.holder, (ctx) => releaseGroup(ctx, held.group, this.#reader));
  }
}
