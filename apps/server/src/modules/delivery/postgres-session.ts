import { Socket } from 'node:net';
import type pg from 'pg';
import { DatabaseClient } from '#platform/database/client';
import { makeMissingPartitions } from '#platform/database/partitions';

/** Gathers the writes of one turn of the event loop: a batch of statements is one system call. */
class GatheringSocket extends Socket {
  #gathering = false;

  override write(
    chunk: Uint8Array | string,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    done?: (error?: Error | null) => void,
  ): boolean {
    if (!this.#gathering) {
      this.#gathering = true;
      this.cork();
      process.nextTick(() => {
        this.#gathering = false;
        this.uncork();
      });
    }
    return typeof encoding === 'string' ? super.write(chunk as string, encoding, done) : super.write(chunk, encoding);
  }
}

/**
 * Time without an answer after which the connection to the database counts as lost: the session is closed, and a new
 * one is opened.
 */
const SILENCE_MS = 20_000;

/**
 * One session of PostgreSQL for one purpose, opened at first use and again after it was lost. Statements are pipelined:
 * each is sent without waiting, and answers come in order.
 */
export class PostgresSession {
  readonly #settings: pg.ClientConfig;
  #client: Promise<pg.Client> | undefined;

  /** Statements are planned once, for any values, and never scan a table: on a young table a scan would look cheap. */
  constructor(settings: pg.ClientConfig, name: string) {
    this.#settings = {
      ...settings,
      application_name: `${settings.application_name ?? 'heliograph'} ${name}`,
      options: `${settings.options ?? ''} -c plan_cache_mode=force_generic_plan -c jit=off -c enable_seqscan=off`,
      pipeline: true,
      query_timeout: SILENCE_MS,
      stream: () => new GatheringSocket(),
    };
  }

  /** Answers the open session. Throws if the database cannot be reached. */
  client(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    const opening = this.#open();
    this.#client = opening;
    opening.catch(() => this.#forget(opening));
    return opening;
  }

  async #open(): Promise<pg.Client> {
    const client = new DatabaseClient(this.#settings);
    makeMissingPartitions(client, this.#settings);
    const lost = () => this.#forget(this.#client);
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    return client;
  }

  #forget(which: Promise<pg.Client> | undefined): void {
    if (this.#client === which) this.#client = undefined;
  }

  async end(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }
}

/** Error code of every statement after one in its transaction has failed. */
const ABORTED = '25P02';

/**
 * Waits until all statements sent in sequence are answered. Throws the error of the one that failed: those behind it
 * fail as well, and sometimes report it first.
 */
export async function together<T extends readonly unknown[] | []>(
  statements: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  const settled = await Promise.allSettled(statements);
  const errors = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (errors.length > 0) throw errors.find(({ code }) => code !== ABORTED) ?? errors[0];
  return settled.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [P in keyof T]: Awaited<T[P]>;
  };
}
