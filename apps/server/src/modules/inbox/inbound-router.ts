import { INBOUND } from '#modules/delivery';
import type { Hearing } from '#platform/fan-out/fan-out';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { pushTo } from '#platform/person/push';
import { routeOrSetAside } from './route-inbound.ts';
import { tellInbox } from './tell-inbox.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock' | 'config' | 'fanOut' | 'log' | 'watch'>;

const WAITING = 'EXISTS (SELECT FROM inbound_message)';

/** Poll interval for messages that arrived without a notification. */
const POLL_MS = 1_000;
/**
 * Interval at which the search starts from the first waiting message. It finds messages that were committed late, below
 * the ids already routed.
 */
const FROM_THE_FIRST_MS = 5_000;
/** Minimum interval between notifications of new messages to people. */
const TELL_MS = 100;

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
    this.#worker.watch?.add({ sql: WAITING });
    this.#routing = repeatWhileWork(
      this.#worker.watch,
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
      const known = corporations.filter((id) => id !== null);
      await database.transaction().execute(async (db) => {
        const people = await tellInbox(db, 'inbox.received', known);
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
