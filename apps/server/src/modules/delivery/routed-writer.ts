import { pickLink, type Route, type Routing, readRouting } from '#modules/routing';
import { BusinessError } from '#platform/errors';
import { type Queryable, rowsOf } from '#platform/queryable';
import { type ChunkShared, type ChunkWriter, insertChunk, type NewMessage, wakeSenders } from './enqueue.ts';
import { CHUNK_SIZE, messageId } from './message-id.ts';

/** What messages share that are queued together, before it is known by which links they go. */
export type RoutedShared = Omit<ChunkShared, 'link_id' | 'carrier_route_id'> & {
  /** It goes by links for tests alone. */
  for_tests?: boolean;
};

/** A long expansion looks again so often at routes and at how the links are. */
const LOOK_AGAIN_MS = 1_000;

/** The routes and links as they are now, looked at again while the work lasts. */
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

  /** Finds the route of a number. */
  get finder(): (msisdn: string) => Route | null {
    return this.#routing.table.finder({ ...this.#shared, reseller_id: this.#routing.reseller_id });
  }

  /** Writes messages of one route as a chunk and answers its id. Throws `no_route` where there is no link at all. */
  async write(route: Route | null, messages: readonly NewMessage[]): Promise<number> {
    if (performance.now() - this.#readAt > LOOK_AGAIN_MS) {
      this.#routing = await routingFor(this.#db, this.#shared);
      this.#readAt = performance.now();
    }
    const link_id = pickLink(this.#routing, route, this.#shared.class, messages.length);
    if (link_id === null) throw new BusinessError('no_route');
    return insertChunk(this.#db, { ...this.#shared, link_id, carrier_route_id: route?.id ?? null }, messages);
  }
}

const routingFor = (db: Queryable, { corporation_id, for_tests = false }: RoutedShared): Promise<Routing> =>
  readRouting((text, values) => rowsOf(db, text, values), corporation_id, { for_tests });

/**
 * Writes messages that share `shared` within the caller's transaction, each by the carrier route of its number: in chunks
 * of one route and one link. The caller has reserved their cost; call `wakeSenders` in the same transaction. Adding and
 * flushing throw `no_route` where there is no link at all.
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
 * Queues messages within the caller's transaction, each by the carrier route of its number, and answers their ids in
 * their order; wakes the senders. Throws `no_route` where there is no link at all.
 */
export async function enqueueMessages(
  db: Queryable,
  shared: RoutedShared,
  messages: readonly NewMessage[],
): Promise<number[]> {
  const ids = await writeRouted(db, shared, messages, await routingFor(db, shared));
  if (ids.length > 0) await wakeSenders(db);
  return ids;
}

/**
 * The same by a routing that was just read, for whoever queues for many corporations at once; call `wakeSenders` in the
 * same transaction.
 */
export async function writeRouted(
  db: Queryable,
  shared: RoutedShared,
  messages: readonly NewMessage[],
  routing: Routing,
): Promise<number[]> {
  const chunks = new RoutedChunks(db, shared, routing);
  const { finder } = chunks;
  const ids: number[] = new Array(messages.length);
  for (const [route, places] of Map.groupBy(messages.keys(), (place) => finder(messages[place]!.msisdn))) {
    for (let start = 0; start < places.length; start += CHUNK_SIZE) {
      const chunk = places.slice(start, start + CHUNK_SIZE);
      const chunkId = await chunks.write(
        route,
        chunk.map((place) => messages[place]!),
      );
      for (const [index, place] of chunk.entries()) ids[place] = messageId(chunkId, index);
    }
  }
  return ids;
}
