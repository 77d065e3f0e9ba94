import {
  pickLink,
  type Route,
  type RouteFinder,
  type Routing,
  rankedFinder,
  readRouting,
  refusalOf,
  takeLimits,
} from '#modules/carrier-routes';
import { networksOfStamp, portedAmong, type Read } from '#modules/networks';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { ChunkShared, NewMessage } from './chunk.ts';
import { type ChunkWriter, wakeSenders } from './enqueue.ts';
import { insertChunk } from './insert-chunks.ts';
import { CHUNK_SIZE, messageId } from './message-id.ts';

/** Fields of messages that are queued together, before their links are known. */
export type RoutedShared = Omit<ChunkShared, 'link_id' | 'carrier_route_id'> & {
  /** True if it goes only by links for tests. */
  for_tests?: boolean;
};

/** Interval at which a long expansion reads the routes and the state of links again. */
const LOOK_AGAIN_MS = 1_000;

/** Current routes and links, read again while the work lasts. */
class RoutedChunks {
  readonly #db: Queryable;
  readonly #shared: RoutedShared;
  #routing: Routing;
  #readAt = performance.now();
  /** Finder of a number's route, with its links in the order of now. */
  find: RouteFinder;

  constructor(db: Queryable, shared: RoutedShared, routing: Routing) {
    this.#db = db;
    this.#shared = shared;
    this.#routing = routing;
    this.find = finderOf(shared, routing);
  }

  /** Writes messages of one route as a chunk and answers its id. Throws `no_route` and `sender_not_registered`. */
  async write(route: Route | null, messages: readonly NewMessage[]): Promise<number> {
    if (performance.now() - this.#readAt > LOOK_AGAIN_MS) {
      this.#routing = await routingFor(this.#db, this.#shared);
      this.find = finderOf(this.#shared, this.#routing);
      this.#readAt = performance.now();
    }
    for (;;) {
      const shared = sharedOf(this.#shared, this.#routing, route, messages.length);
      const parts = new Map([[shared.link_id, partsOf(messages)]]);
      // A cap without room for them leaves the link out of the next pick.
      if (await takeLimits(readBy(this.#db), this.#routing, parts)) return insertChunk(this.#db, shared, messages);
    }
  }
}

const partsOf = (messages: readonly NewMessage[]): number => messages.reduce((sum, { parts }) => sum + parts, 0);

const readBy =
  (db: Queryable): Read =>
  (text, values) =>
    rowsOf(db, text, values);

const finderOf = (shared: RoutedShared, routing: Routing): RouteFinder =>
  rankedFinder(routing, { ...shared, reseller_id: routing.reseller_id });

/** Builds the shared fields of a chunk on a route. Throws `no_route` and `sender_not_registered`. */
function sharedOf(shared: RoutedShared, routing: Routing, route: Route | null, messages: number): ChunkShared {
  const link_id = pickLink(routing, route, shared.class, messages, shared);
  if (link_id === null) throw new BusinessError(refusalOf(routing, route));
  return { ...shared, link_id, carrier_route_id: route?.id || null };
}

const routingFor = (db: Queryable, { corporation_id, for_tests = false }: RoutedShared): Promise<Routing> =>
  readRouting(readBy(db), corporation_id, { for_tests });

/**
 * Writes messages that share `shared` in the caller's transaction, each by the carrier route of its number, in chunks
 * of one route and one link. The caller has reserved their cost; call `wakeSenders` in the same transaction. Adding and
 * flushing throw `no_route` if there is no link, and `sender_not_registered` if none knows the sender ID.
 */
export async function openRoutedWriter(db: Queryable, shared: RoutedShared): Promise<ChunkWriter> {
  const routing = await routingFor(db, shared);
  const chunks = new RoutedChunks(db, shared, routing);
  const waiting = new Map<Route | null, NewMessage[]>();
  const written = { messages: 0, parts: 0, amount: 0 };
  const write = async (route: Route | null, messages: NewMessage[]) => {
    waiting.delete(route);
    await chunks.write(route, messages);
    written.messages += messages.length;
    for (const { parts, unit_price } of messages) {
      written.parts += parts;
      written.amount += parts * unit_price;
    }
  };
  // With lookups, messages wait for those of a chunk, so that one statement reads what is known of their numbers.
  let unread: NewMessage[] = [];
  const read = async () => {
    const some = unread;
    unread = [];
    for (const message of await withPorted(db, routing, some)) {
      const full = addTo(message);
      if (full) await full;
    }
  };
  const addTo = (message: NewMessage) => {
    const route = chunks.find(message.msisdn, message.ported);
    let messages = waiting.get(route);
    if (!messages) {
      messages = [];
      waiting.set(route, messages);
    }
    messages.push(message);
    return messages.length >= CHUNK_SIZE ? write(route, messages) : undefined;
  };
  return {
    add(message) {
      if (routing.ported_by === null) return addTo(message);
      unread.push(message);
      return unread.length >= CHUNK_SIZE ? read() : undefined;
    },
    async flush() {
      if (unread.length > 0) await read();
      for (const [route, messages] of [...waiting]) await write(route, messages);
      return { ...written };
    },
  };
}

/**
 * Queues messages in the caller's transaction, each by the carrier route of its number, and wakes the senders. Answers
 * the ids in the order of the messages. Throws `no_route` and `sender_not_registered` if there is no link.
 */
export async function enqueueMessages(
  db: Queryable,
  shared: RoutedShared,
  messages: readonly NewMessage[],
): Promise<number[]> {
  const routing = await routingFor(db, shared);
  const planned = await planRouted(db, [{ shared, messages: await withPorted(db, routing, messages), routing }]);
  const ids = new Array<number>(messages.length);
  for (const { shared: own, messages: some, places } of planned) {
    const chunkId = await insertChunk(db, own, some);
    for (const [at, place] of places.entries()) ids[place] = messageId(chunkId, at);
  }
  if (messages.length > 0) await wakeSenders(db);
  return ids;
}

/** Returns messages with the networks of those that a lookup says were ported. Without lookups nothing is read. */
export async function withPorted<M extends NewMessage>(
  db: Queryable,
  { ported_by }: Pick<Routing, 'ported_by'>,
  messages: readonly M[],
): Promise<readonly M[]> {
  if (ported_by === null || messages.length === 0) return messages;
  const read: Read = (text, values) => rowsOf(db, text, values);
  const networks = await networksOfStamp(read, ported_by);
  const ported = await portedAmong(
    read,
    networks,
    messages.map(({ msisdn }) => msisdn),
  );
  if (ported.size === 0) return messages;
  return messages.map((message) => {
    const network = ported.get(message.msisdn);
    return network === undefined ? message : { ...message, ported: network };
  });
}

/** Messages that share everything but their routes, and routes and links that were just read. */
export interface RoutedGroup {
  shared: RoutedShared;
  messages: readonly NewMessage[];
  routing: Routing;
}

/** Chunk of messages with one route and one link, which is not written yet. */
interface RoutedChunk {
  shared: ChunkShared;
  messages: readonly NewMessage[];
  /** Number of its group. */
  nth: number;
  /** Places of its messages in the group. */
  places: readonly number[];
}

/**
 * Plans the chunks of groups, each of one route and one link, and counts them for the limits of links in the caller's
 * transaction. Throws `no_route` and `sender_not_registered`.
 */
export async function planRouted(db: Queryable, groups: readonly RoutedGroup[]): Promise<RoutedChunk[]> {
  for (;;) {
    const planned = planOnce(groups);
    const parts = new Map<number, number>();
    for (const { shared, messages } of planned)
      parts.set(shared.link_id, (parts.get(shared.link_id) ?? 0) + partsOf(messages));
    // Groups of one transaction share the limits that were read for it. Tests have none.
    const routing = groups.find(({ routing: { limits } }) => limits.size > 0)?.routing;
    if (!routing || (await takeLimits(readBy(db), routing, parts))) return planned;
  }
}

function planOnce(groups: readonly RoutedGroup[]): RoutedChunk[] {
  const planned: RoutedChunk[] = [];
  for (const [nth, { shared, messages, routing }] of groups.entries()) {
    const finder = finderOf(shared, routing);
    for (const [route, all] of Map.groupBy(messages.keys(), (place) => {
      const { msisdn, ported } = messages[place]!;
      return finder(msisdn, ported);
    }))
      for (let start = 0; start < all.length; start += CHUNK_SIZE) {
        const places = all.slice(start, start + CHUNK_SIZE);
        const chunk = places.map((place) => messages[place]!);
        planned.push({ shared: sharedOf(shared, routing, route, chunk.length), messages: chunk, nth, places });
      }
  }
  return planned;
}
