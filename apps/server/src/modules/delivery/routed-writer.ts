import { pickLink, type Route, type Routing, readRouting, refusalOf } from '#modules/carrier-routes';
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

  constructor(db: Queryable, shared: RoutedShared, routing: Routing) {
    this.#db = db;
    this.#shared = shared;
    this.#routing = routing;
  }

  /** Finder of a number's route. */
  get finder(): (msisdn: string) => Route | null {
    return finderOf(this.#shared, this.#routing);
  }

  /** Writes messages of one route as a chunk and answers its id. Throws `no_route` and `sender_not_registered`. */
  async write(route: Route | null, messages: readonly NewMessage[]): Promise<number> {
    if (performance.now() - this.#readAt > LOOK_AGAIN_MS) {
      this.#routing = await routingFor(this.#db, this.#shared);
      this.#readAt = performance.now();
    }
    return insertChunk(this.#db, sharedOf(this.#shared, this.#routing, route, messages.length), messages);
  }
}

const finderOf = (shared: RoutedShared, { table, reseller_id }: Routing) => table.finder({ ...shared, reseller_id });

/** Builds the shared fields of a chunk on a route. Throws `no_route` and `sender_not_registered` if there is no link. */
function sharedOf(shared: RoutedShared, routing: Routing, route: Route | null, messages: number): ChunkShared {
  const link_id = pickLink(routing, route, shared.class, messages, shared);
  if (link_id === null) throw new BusinessError(refusalOf(routing, route));
  return { ...shared, link_id, carrier_route_id: route?.id ?? null };
}

const routingFor = (db: Queryable, { corporation_id, for_tests = false }: RoutedShared): Promise<Routing> =>
  readRouting((text, values) => rowsOf(db, text, values), corporation_id, { for_tests });

/**
 * Writes messages that share `shared` in the caller's transaction, each by the carrier route of its number, in chunks
 * of one route and one link. The caller has reserved their cost; call `wakeSenders` in the same transaction. Adding and
 * flushing throw `no_route` if there is no link, and `sender_not_registered` if none knows the sender ID.
 */
export async function openRoutedWriter(db: Queryable, shared: RoutedShared): Promise<ChunkWriter> {
  const chunks = new RoutedChunks(db, shared, await routingFor(db, shared));
  const { finder } = chunks;
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
  return {
    add(message) {
      const route = finder(message.msisdn);
      let messages = waiting.get(route);
      if (!messages) {
        messages = [];
        waiting.set(route, messages);
      }
      messages.push(message);
      return messages.length >= CHUNK_SIZE ? write(route, messages) : undefined;
    },
    async flush() {
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
  const planned = planRouted([{ shared, messages, routing }]);
  const ids = new Array<number>(messages.length);
  for (const { shared: own, messages: some, places } of planned) {
    const chunkId = await insertChunk(db, own, some);
    for (const [at, place] of places.entries()) ids[place] = messageId(chunkId, at);
  }
  if (messages.length > 0) await wakeSenders(db);
  return ids;
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

/** Plans the chunks of groups, each of one route and one link. Throws `no_route` and `sender_not_registered`. */
export function planRouted(groups: readonly RoutedGroup[]): RoutedChunk[] {
  const planned: RoutedChunk[] = [];
  for (const [nth, { shared, messages, routing }] of groups.entries()) {
    const finder = finderOf(shared, routing);
    for (const [route, all] of Map.groupBy(messages.keys(), (place) => finder(messages[place]!.msisdn)))
      for (let start = 0; start < all.length; start += CHUNK_SIZE) {
        const places = all.slice(start, start + CHUNK_SIZE);
        const chunk = places.map((place) => messages[place]!);
        planned.push({ shared: sharedOf(shared, routing, route, chunk.length), messages: chunk, nth, places });
      }
  }
  return planned;
}
