import { readFileSync } from 'node:fs';
import {
  type ApplicationRequest,
  type Bind,
  type Closing,
  type SmppServer as Smsc,
  STATUS,
  startServer,
} from '@heliograph/smpp';
import type pg from 'pg';
import { EVENTS } from '#modules/events';
import type { Intake } from '#modules/intake';
import { KeptNode } from '#modules/nodes';
import type { ConnectedConfig } from '#platform/config';
import type { FanOut, FanOutState } from '#platform/fan-out/fan-out';
import { startFanOut } from '#platform/fan-out/tell';
import type { Logger } from '#platform/log';
import { repeat } from '#platform/repeat';
import { StartError } from '#platform/start-error';
import { SMPP_SERVERS, tellServers } from './channel.ts';
import { type Bound, type BoundSession, Customer } from './customers.ts';
import { Deliverer } from './deliverer.ts';
import { type Delivery, forgetOldDeliveries } from './delivery-rows.ts';
import { forgetOldFailures } from './failed-binds.ts';
import { feedDeliveries } from './feed-deliveries.ts';
import { Doorkeeper } from './let-in.ts';
import { endInFailure, endLongMessages, sweepLongMessages } from './long-message-sweep.ts';
import { LongMessages } from './long-messages.ts';
import { MessageDesk } from './message-desk.ts';
import { MessageIds } from './message-ids.ts';
import type { Submit } from './read-submit.ts';
import { closeSessionRow, openSessionRow, renewSessionRows } from './session-rows.ts';
import { SubmitDesk } from './submit-desk.ts';
import { readSystemIds } from './system-id-rows.ts';

const RENEW_MS = 1_000;
const LOOK_MS = 1_000;
const SWEEP_MS = 10_000;
/** Sockets at once, and from one address. */
const MOST_SOCKETS = 5_000;
const MOST_OF_ADDRESS = 200;

const NAME = 'Heliograph';

type Counts = Pick<Bound, 'submitted' | 'refused' | 'throttled' | 'delivered'>;

function addCounts(total: Counts, { submitted, refused, throttled, delivered }: Counts): void {
  total.submitted += submitted;
  total.refused += refused;
  total.throttled += throttled;
  total.delivered += delivered;
}

/** The SMSC that customers' programs bind to. */
export class SmppServer {
  readonly #config: ConnectedConfig;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  /** Its binds are over with it: those of one that died do not count for longer than 3.5 s. */
  readonly #node: KeptNode;
  readonly #doorkeeper: Doorkeeper;
  readonly #submits: SubmitDesk;
  readonly #messages: MessageDesk;
  readonly #deliverer: Deliverer;
  readonly #intake: Pick<Intake, 'accept' | 'acceptMany' | 'share'>;
  readonly #customers = new Map<number, Customer>();
  readonly #binds = new Map<BoundSession, Bound>();
  #smsc: Smsc<Delivery> | undefined;
  #parts: { stop(): Promise<void> }[] = [];
  #fanOut: FanOut | undefined;
  #renewedAt = performance.now();
  /** What was done on binds that are closed. */
  readonly #past: Counts = { submitted: 0, refused: 0, throttled: 0, delivered: 0 };
  #heard = false;
  #hearing: Promise<void> | undefined;

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
    this.#intake = intake;
    this.#log = log;
    this.#node = new KeptNode(config, { kind: 'smpp_server', role: 'worker', log }, (draining) => {
      if (draining) for (const session of this.#binds.keys()) void session.unbind();
    });
    const ids = new MessageIds(pool);
    this.#doorkeeper = new Doorkeeper(pool);
    this.#deliverer = new Deliverer(pool, this.#node.name, log);
    this.#messages = new MessageDesk(pool, intake, log);
    // What fails here is found again by the sweep.
    const late = (error: unknown) => log.warn({ err: error }, 'parts of a message could not be taken out yet');
    this.#submits = new SubmitDesk({
      intake,
      longMessages: new LongMessages(pool, ids),
      ids,
      customers: () => this.#customers.size,
      done: (id) => void endLongMessages(pool, [id]).catch(late),
      refusedWhole: (whole, rules) => void endInFailure(pool, whole, rules, 'rejected').catch(late),
      log,
    });
  }

  /** The port it listens on. */
  get port(): number {
    return this.#smsc!.port;
  }

  /** How it is with wake-ups and live events; undefined before the start. */
  get fanOut(): FanOutState | undefined {
    return this.#fanOut?.state();
  }

  /** When the rows of all binds were last renewed (performance.now()). */
  get renewedAt(): number {
    return this.#renewedAt;
  }

  /** What customers' programs did on this process since it began. */
  get totals(): Counts {
    const total = { ...this.#past };
    for (const bound of this.#binds.values()) addCounts(total, bound);
    return total;
  }

  /** Listens. Throws a StartError where the port or the certificate cannot be had. */
  async start(): Promise<void> {
    const { HOST: host, SMPP_SERVER_PORT: port } = this.#config;
    const tls = this.#certificate();
    try {
      this.#smsc = await startServer<Delivery>(
        {
          host,
          port,
          tls,
          maxConnections: MOST_SOCKETS,
          maxPerAddress: MOST_OF_ADDRESS,
          window: 10_000,
          onHandshakeFailed: ({ message }, address) => this.#log.info({ address, reason: message }, 'TLS is refused'),
        },
        {
          onBind: (bind, session) => void this.#bind(bind, session),
          onRequests: (requests, session) => this.#take(requests, session),
          onResponses: (outcomes, session) => this.#deliverer.answered(outcomes, this.#binds.get(session)),
          onReady: (session) => this.#ready(session),
          onClose: (closing, session) => this.#closed(closing, session),
        },
      );
    } catch (error) {
      throw new StartError(`The SMPP server cannot listen on ${host}:${port}: ${(error as Error).message}.`);
    }
    await this.#node.start();
    const failed = (what: string) => (error: unknown) => this.#log.warn({ err: error }, what);
    this.#fanOut = await startFanOut(this.#config, 'worker', this.#log);
    this.#intake.share(this.#fanOut);
    const wake = () => this.#hear(failed('news of system ids could not be read'));
    this.#parts = [
      await this.#fanOut.subscribe(SMPP_SERVERS, wake, wake),
      await this.#fanOut.subscribe(EVENTS, () => void this.#feed().catch(failed('events could not be read'))),
      repeat(RENEW_MS, () => this.#renewInTime(), failed('binds could not be renewed')),
      repeat(LOOK_MS, () => this.#feed(), failed('events could not be read')),
      repeat(SWEEP_MS, () => this.#sweep(), failed('the sweep failed')),
    ];
    this.#log.info({ port: this.port, tls: tls !== undefined }, 'customers may bind');
  }

  #certificate() {
    const { SMPP_SERVER_TLS_CERT: cert, SMPP_SERVER_TLS_KEY: key, SMPP_SERVER_TLS_CLIENT_CA: ca } = this.#config;
    if (!cert || !key) return undefined;
    try {
      return {
        cert: readFileSync(cert),
        key: readFileSync(key),
        ...(ca && { ca: readFileSync(ca), requestCert: true, rejectUnauthorized: true }),
      };
    } catch (error) {
      throw new StartError(`The certificate of the SMPP server cannot be read: ${(error as Error).message}.`, 2);
    }
  }

  async #bind(bind: Bind, session: BoundSession): Promise<void> {
    const address = session.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    const { system_id } = bind;
    try {
      if (this.#node.draining) {
        this.#log.info({ system_id, address }, 'a bind is refused: this process drains');
        return session.refuseBind(STATUS.RBINDFAIL);
      }
      const verdict = await this.#doorkeeper.admit(bind, address);
      if ('status' in verdict) {
        this.#log.warn({ system_id, address, reason: verdict.reason }, 'a bind is refused');
        return session.refuseBind(verdict.status);
      }
      const { systemId } = verdict;
      const version = bind.interface_version >= 0x34 ? bind.interface_version : 0x33;
      const id = await openSessionRow(this.#pool, {
        smpp_system_id_id: systemId.id,
        process: this.#node.name,
        mode: session.mode,
        version: `${version >> 4}.${version & 15}`,
        address,
        tls: Boolean(this.#config.SMPP_SERVER_TLS_CERT),
      });
      if (id === undefined) {
        this.#log.warn({ system_id, address }, 'a bind is refused: there are as many as there may be');
        return session.refuseBind(STATUS.RBINDFAIL);
      }
      if (session.state !== 'binding') return await closeSessionRow(this.#pool, id);
      const customer = this.#customers.get(systemId.id) ?? new Customer(systemId);
      customer.rules = systemId;
      this.#customers.set(systemId.id, customer);
      const counts = { owed: 0, submitted: 0, refused: 0, throttled: 0, delivered: 0 };
      const bound: Bound = { id, session, customer, version, ...counts, slow_since: null, alerted: false };
      customer.binds.add(bound);
      this.#binds.set(session, bound);
      session.acceptBind(NAME);
      // Each process has the share of its binds in the rate: all count anew.
      void tellServers(this.#pool).catch(() => undefined);
      this.#log.info({ system_id, address, mode: session.mode }, 'bound');
      this.#deliverer.pump(customer);
    } catch (error) {
      this.#log.error({ err: error, system_id }, 'a bind could not be looked at');
      session.refuseBind(STATUS.RSYSERR);
    }
  }

  #take(requests: readonly ApplicationRequest[], session: BoundSession): void {
    const bound = this.#binds.get(session);
    const submits: Submit[] = [];
    for (const request of requests) {
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
    const bound = this.#binds.get(session);
    if (bound) this.#deliverer.pump(bound.customer);
  }

  #closed({ reason, status }: Closing, session: BoundSession): void {
    const bound = this.#binds.get(session);
    if (!bound) return;
    this.#binds.delete(session);
    addCounts(this.#past, bound);
    const { customer } = bound;
    customer.binds.delete(bound);
    if (customer.binds.size === 0) this.#customers.delete(customer.rules.id);
    const { system_id } = customer.rules;
    const said = { system_id, address: session.remoteAddress, reason, ...(status && { status }) };
    if (reason === 'peer_not_reading') this.#log.warn(said, 'a program does not read: its bind is ended');
    else this.#log.info(said, 'unbound');
    void closeSessionRow(this.#pool, bound.id).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the end of a bind could not be written: it runs out by itself'),
    );
  }

  /** Makes deliveries of new events, and brings what waits. */
  async #feed(): Promise<void> {
    let added = 0;
    for (let more = true; more; ) {
      const page = await feedDeliveries(this.#pool);
      added += page.added;
      more = page.more;
    }
    // Binds of other processes may have room, too.
    if (added > 0) await tellServers(this.#pool);
    await this.#deliverer.look(this.#customers.values());
  }

  /** What is said while it follows is followed once, afterwards. */
  #hear(failed: (error: unknown) => void): void {
    this.#heard = true;
    this.#hearing ??= (async () => {
      while (this.#heard) {
        this.#heard = false;
        await this.#news().catch(failed);
      }
      this.#hearing = undefined;
    })();
  }

  /** Follows changes of system ids, and unbinds that were asked for. */
  async #news(): Promise<void> {
    await this.#renew();
    await this.#deliverer.look(this.#customers.values());
  }

  async #renewInTime(): Promise<void> {
    await this.#renew();
    this.#renewedAt = performance.now();
  }

  async #renew(): Promise<void> {
    const bound = [...this.#binds.values()];
    if (bound.length === 0) return;
    const counts = bound.map(({ id, submitted, refused, throttled, delivered, session, slow_since }) => ({
      id,
      submitted,
      refused,
      throttled,
      delivered,
      in_flight: session.inFlight,
      slow_since,
    }));
    const news = new Map((await renewSessionRows(this.#pool, counts)).map((each) => [each.id, each]));
    const rules = await readSystemIds(this.#pool, [...this.#customers.keys()]);
    for (const each of rules) {
      const customer = this.#customers.get(each.id);
      if (customer) customer.rules = each;
    }
    const usable = new Set(rules.filter((each) => each.usable).map(({ id }) => id));
    for (const each of bound) {
      const said = news.get(each.id);
      if (said) each.customer.bindsEverywhere = said.binds;
      // One that was taken for dead meanwhile may have been replaced: its program binds again.
      if (!said || said.unbind || !usable.has(each.customer.rules.id)) void each.session.unbind();
    }
  }

  async #sweep(): Promise<void> {
    await sweepLongMessages(this.#pool, this.#intake, this.#log);
    await forgetOldFailures(this.#pool);
    await forgetOldDeliveries(this.#pool);
  }

  /** Unbinds everybody, answers what it owes, and gives back what was not acknowledged. */
  async stop(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.stop()));
    await this.#smsc?.stop();
    await this.#hearing;
    await this.#deliverer.settled();
    await tellServers(this.#pool);
    await this.#fanOut?.stop();
    await this.#node.stop();
  }
}
