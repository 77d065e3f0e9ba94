import { ApiError, ConnectionError } from './errors.ts';
import { type Http, pause } from './http.ts';
import type { ListEventsReply } from './types.ts';

/** An event of the stream. Store its `cursor` when it is processed, to continue after it later. */
export type StreamedEvent = ListEventsReply['data'][number] & { cursor: string };

/** Options for receiving events as they happen. */
export interface StreamOptions {
  types?: readonly StreamedEvent['type'][];
  /** `cursor` of the last event that was processed, or `now`; without it, the stream starts at the oldest event. */
  cursor?: string;
  /** Time from which events are sent again, RFC 3339; up to 7 days ago. */
  since?: string;
  /** Part of the events, such as `2/4` for the second of four programs. */
  share?: string;
  /** Name under which the platform stores the place of this program. */
  group?: string;
  signal?: AbortSignal;
}

/** Longest silence of a connection in ms: the platform sends a line every 15 seconds. */
const SILENCE_MS = 45_000;

/**
 * Yields the events of the stream until the signal aborts. A broken connection is made again after the last event, so that
 * none is missed.
 */
export async function* streamEvents(
  http: Http,
  options: StreamOptions,
): AsyncGenerator<StreamedEvent, void, undefined> {
  const { types, since, share, group, signal } = options;
  let { cursor } = options;
  let wait = 0;
  while (true) {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
    };
    try {
      const body = await http.call<ReadableStream<Uint8Array>>({
        method: 'GET',
        path: '/v1/events/stream',
        query: { types: types?.join(','), since, share, group, cursor },
        bytes: 'stream',
        signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
      });
      for await (const { id, data, retry } of framesOf(body, alive)) {
        if (retry !== undefined) wait = retry;
        if (id === undefined || data === undefined) continue;
        cursor = id;
        yield { ...(JSON.parse(data) as ListEventsReply['data'][number]), cursor: id };
      }
    } catch (error) {
      signal?.throwIfAborted();
      // These were tried again already; a connection that broke off or fell silent was not.
      if (error instanceof ApiError || error instanceof ConnectionError) throw error;
    } finally {
      clearTimeout(timer);
    }
    await pause(wait, signal);
  }
}

interface Frame {
  id?: string;
  data?: string;
  retry?: number;
}

/** Reads frames as the HTML standard describes them in "Server-sent events". `alive` is called for each piece. */
async function* framesOf(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<Frame, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    alive();
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const fields = part.split('\n').map((line) => /^(id|data|retry): ?(.*)$/.exec(line));
      const of = (name: string) => fields.find((field) => field?.[1] === name)?.[2];
      const [id, data, retry] = [of('id'), of('data'), of('retry')];
      yield {
        ...(id !== undefined && { id }),
        ...(data !== undefined && { data }),
        ...(retry !== undefined && { retry: Number(retry) }),
      };
    }
  }
}
