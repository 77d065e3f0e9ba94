import { type ApplicationRequest, STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import { EVENTS, UNREAD, unreadAfter } from '#modules/events';
import type { Intake } from '#modules/intake';
import { KeptNode } from '#modules/nodes';
import type { ConnectedConfig } from '#platform/config/config';
import type { FanOut, FanOutState } from '#platform/fan-out/fan-out';
import { startFanOut } from '#platform/fan-out/tell';
import { repeat } from '#platform/jobs/repeat';
import { WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { SMPP_SERVERS, tellServers } from './channel.ts';
import { type Counts, CustomerBinds } from './customer-binds.ts';
import type { BoundSession } from './customers.ts';
import { Deliverer } from './deliverer.ts';
import { type Delivery, forgetOldDeliveries } from './delivery-rows.ts';
import { forgetOldFailures } from './failed-binds.ts';
import { feedDeliveries } from './feed-deliveries.ts';
import { type Listening, listen } from './listener.ts';
import { endLongMessages, LEFT_OVER, refuseLongMessage, sweepLongMessages } from './long-message-sweep.ts';
import { LongMessages } from './long-messages.ts';
import { MessageHandler } from './message-handler.ts';
import { MessageIds } from './message-ids.ts';
import type { Submit } from './read-submit.ts';
import { SubmitHandler } from './submit-handler.ts';

const RENEW_MS = 1_000;
const LOOK_MS = 1_000;
const SWEEP_MS = 10_000;
/** Sign that deliveries wait for a customer who has bound to this process. */
const WAITING = 'EXISTS (SELECT FROM smpp_delivery WHERE smpp_system_id_id = ANY ($1::bigint[]))';

/** SMSC to which customers' programs bind. */
export class SmppServer {
  readonly #config: ConnectedConfig;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  /** Node of this process. Its binds end with it: after it dies they count for at most 3.5 s. */
  readonly #node: KeptNode;
  readonly #binds: CustomerBinds;
  readonly #submits: SubmitHandler;
  readonly #messages: MessageHandler;
  readonly #deliverer: Deliverer;
  readonly #intake: Pick<Intake, 'accept' | 'acceptMany' | 'share'>;
  #listening: Listening | undefined;
  #parts: { stop(): Promise<void> }[] = [];
  #fanOut: FanOut | undefined;
  #renewedAt = performance.now();
  readonly #watch: WorkWatch;
  /** Position in the outbox at the last look. */
  #cursor: string | undefined;

  /** `pool` has sessions of the role `worker`; the caller ends it, and closes the intake, after `stop`. */
  constructor(options: {
    config: ConnectedConfig;
    pool: pg.Pool;
    intake: Pick<Intake, 'accept' | 'acceptMany' | 'share'>;
    log: Logger;
  }) {
    const { config, pool, intake, log } = options;
    this.#config = config;
    this.#pool = pool;
    this.#watch = new WorkWatch(pool, () => this.fanOut);
    this.#watch.add({ sql: LEFT_OVER });
    this.#watch.add({ sql: UNREAD, values: () => unreadAfter(this.#cursor) });
    this.#watch.add({ sql: WAITING, values: () => [[...this.#binds.customers.keys()]] });
    this.#intake = intake;
    this.#log = log;
    this.#node = new KeptNode(config, { kind: 'smpp_server', role: 'worker', log }, (draining) => {
      if (draining) this.#binds.unbindAll();
    });
    this.#deliverer = new Deliverer(pool, config, this.#node.name, log);
    this.#binds = new CustomerBinds({
      pool,
      node: this.#node,
      onBound: ({ customer }) => this.#deliverer.pump(customer),
      log,
    });
    this.#messages = new MessageHandler(pool, intake, log);
    const ids = new MessageIds(pool);
    // The sweep finds parts that could not be deleted here.
    const late = (error: unknown) => log.warn({ err: error }, 'could not delete message parts; retrying later');
    this.#submits = new SubmitHandler({
      intake,
      longMessages: new LongMessages(pool, ids),
      ids,
      customers: () => this.#binds.customers.size,
      done: (id) => void endLongMessages(pool, [id]).catch(late),
      refusedWhole: (whole, rules) => void refuseLongMessage(pool, whole, rules).catch(late),
      log,
    });
  }

  /** Ports on which it listens: its own, and that of TLS beside it, if the settings name one. */
  get listening(): Omit<Listening, 'stop'> {
    return this.#listening!;
  }

  /** State of wake-ups and live events; undefined before the start. */
  get fanOut(): FanOutState | undefined {
    return this.#fanOut?.state();
  }

  /** Time when the rows of all binds were last renewed (performance.now()). */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  /** Counters of customers' binds in this process since it began. */
  get totals(): Counts {
    return this.#binds.totals;
  }

  /** Listens. Throws a StartError if the port is taken or the certificate cannot be used. */
  async start(): Promise<void> {
    this.#listening = await listen<Delivery>(
      this.#config,
      {
        onBind: (bind, session) => void this.#binds.open(bind, session),
        onRequests: (requests, session) => this.#take(requests, session),
        onResponses: (outcomes, session) => this.#deliverer.answered(outcomes, this.#binds.of(session)),
        onReady: (session) => this.#ready(session),
        onClose: (closing, session) => this.#binds.closed(closing, session),
      },
      this.#log,
    );
    await this.#node.start();
    const failed = (what: string) => (error: unknown) => this.#log.warn({ err: error }, what);
    this.#fanOut = await startFanOut(this.#config, 'worker', this.#log);
    this.#intake.share(this.#fanOut);
    const news = repeat(Number.POSITIVE_INFINITY, () => this.#news(), failed('could not reload SMPP accounts'));
    const feed = this.#watch.repeat(LOOK_MS, () => this.#feed(), failed('could not read events'));
    await this.#watch.start(this.#fanOut);
    this.#parts = [
      await this.#fanOut.subscribe(SMPP_SERVERS, news.wake, news.wake),
      await this.#fanOut.subscribe(EVENTS, feed.wake),
      repeat(RENEW_MS, () => this.#renewInTime(), failed('could not renew binds')),
      this.#watch.repeat(SWEEP_MS, () => this.#sweep(), failed('sweep failed')),
      news,
      feed,
      this.#watch,
    ];
    const { port, tls, tlsPort } = this.#listening;
    this.#log.info({ port, tls, ...(tlsPort !== undefined && { tlsPort }) }, 'SMPP server started');
  }

  #take(requests: readonly ApplicationRequest[], session: BoundSession): void {
    const bound = this.#binds.of(session);
    const submits: Submit[] = [];
    for (const request of requests) {
      if (bound?.isRevoked) {
        session.respond(request, STATUS.RINVBNDSTS);
        continue;
      }
      switch (request.command) {
        case 'submit_sm':
        case 'submit_multi':
        case 'data_sm':
          if (bound) submits.push(request);
          else session.respond(request, STATUS.RSYSERR);
          break;
        case 'query_sm':
        case 'cancel_sm':
        case 'replace_sm':
          if (bound) void this.#messages.take(request, bound);
          else session.respond(request, STATUS.RSYSERR);
          break;
        default:
          session.respond(request, STATUS.RINVCMDID);
      }
    }
    if (bound && submits.length > 0) this.#submits.take(submits, bound);
  }

  #ready(session: BoundSession): void {
    const bound = this.#binds.of(session);
    if (bound) this.#deliverer.pump(bound.customer);
  }

  /** Makes deliveries of new events, and sends those that wait. */
  async #feed(): Promise<void> {
    let added = 0;
    for (let more = true; more; ) {
      const page = await feedDeliveries(this.#pool);
      if (page.cursor !== undefined) this.#cursor = page.cursor;
      added += page.added;
      more = page.more;
    }
    // Binds in other processes may have room, too.
    if (added > 0) await tellServers(this.#pool);
    await this.#deliverer.look(this.#binds.customers.values());
  }

  /** Applies changes of system ids and requested unbinds, and sends deliveries that wait. */
  async #news(): Promise<void> {
    await this.#binds.renew();
    await this.#deliverer.look(this.#binds.customers.values());
  }

  async #renewInTime(): Promise<void> {
    await this.#binds.renew();
    this.#renewedAt = performance.now();
  }

  async #sweep(): Promise<void> {
    await sweepLongMessages(this.#pool, this.#intake, this.#log);
    await forgetOldFailures(this.#pool);
    await forgetOldDeliveries(this.#pool);
  }

  /** Unbinds all programs, answers their open requests, and returns unacknowledged deliveries to the queue. */
  async stop(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.stop()));
    await this.#listening?.stop();
    await this.#deliverer.settled();
    await tellServers(this.#pool);
    await this.#fanOut?.stop();
    await this.#node.stop();
  }
}
