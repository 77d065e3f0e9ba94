import { sql } from 'kysely';
import { INBOUND } from '#modules/delivery';
import type { Hearing } from '#platform/fan-out/fan-out';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { pushTo } from '#platform/person/push';
import { notify } from '#platform/realtime/realtime';
import { routeOrSetAside } from './route-inbound.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'fanOut' | 'log'>;

/** Poll interval for messages that arrived without a notification. */
const POLL_MS = 1_000;
/**
 * Interval at which the search starts from the first waiting message. It finds messages that were committed late, below
 * the ids already routed.
 */
const FROM_THE_FIRST_MS = 5_000;
/** Minimum interval between notifications of new messages to people. */
const TELL_MS = 100;

// Finds people with an open session who may see messages of these corporations in their inbox.
const LISTENERS = (corporations: readonly (number | null)[]) => sql<{ id: number }>`
  SELECT u.id FROM user_account u
  WHERE u.enabled AND EXISTS (SELECT FROM session s WHERE s.user_id = u.id AND s.ended_at IS NULL)
    AND (u.scope_level < 2 OR u.corporation_id = ANY (${corporations}::bigint[])
      OR u.corporation_id IN (SELECT reseller_id FROM corporation WHERE id = ANY (${corporations}::bigint[])))
    AND EXISTS (SELECT FROM permission p WHERE p.name = 'inbox-index' AND (
      EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
      OR EXISTS (SELECT FROM user_permission g WHERE g.permission_id = p.id AND g.user_id = u.id)))`;

/**
 * Routes messages from phones as they arrive, until it is stopped. Several may run: one works and the others stand by.
 */
export class InboundRouter {
  readonly #worker: Worker;
  #hearing: Hearing | undefined;
  #routing: Repeated | undefined;
  #telling: NodeJS.Timeout | undefined;
  readonly #news = new Set<number | null>();
  #stopped = false;
  #from = 0;
  #firstAt = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
  }

  async start(): Promise<void> {
    const wake = () => this.#routing?.wake();
    this.#hearing = await this.#worker.fanOut.subscribe(INBOUND, wake, wake);
    this.#routing = repeat(
      POLL_MS,
      () => this.#work(),
      (error) => this.#worker.log.warn({ err: error }, 'could not route inbound messages; retrying'),
    );
    wake();
  }

  async #work(): Promise<void> {
    for (let busy = true; busy && !this.#stopped; ) {
      // PostgreSQL steps over deleted rows one by one while an old snapshot is open. For this reason most searches
      // start behind them.
      if (performance.now() - this.#firstAt > FROM_THE_FIRST_MS) {
        this.#from = 0;
        this.#firstAt = performance.now();
      }
      const { count, last, corporations } = await routeOrSetAside(this.#worker, this.#from);
      this.#from = Math.max(this.#from, last + 1);
      for (const id of corporations) this.#news.add(id);
      if (corporations.size > 0) this.#telling ??= setTimeout(() => void this.#tell(), TELL_MS);
      busy = count > 0;
    }
  }

  async #tell(): Promise<void> {
    this.#telling = undefined;
    const corporations = [...this.#news];
    this.#news.clear();
    const { database, log } = this.#worker;
    try {
      await database.transaction().execute(async (db) => {
        const { rows } = await LISTENERS(corporations.filter((id) => id !== null)).execute(db);
        for (const { id } of rows) await notify(db, id, 'inbox.received', {});
        const people = rows.map(({ id }) => id);
        await pushTo(db, people, 'reply', { what: 'reply', id: null });
      });
    } catch (error) {
      log.warn({ err: error }, 'failed to publish new-message notification');
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#hearing?.stop();
    await this.#routing?.stop();
    clearTimeout(this.#telling);
    if (this.#news.size > 0) await this.#tell();
  }
}
