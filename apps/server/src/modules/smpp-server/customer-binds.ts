import { type Bind, type Closing, STATUS } from '@heliograph/smpp';
import type pg from 'pg';
import type { KeptNode } from '#modules/nodes';
import { allowedBy, plainAddress } from '#platform/http/address-list';
import type { Logger } from '#platform/log';
import { BindAdmission } from './bind-admission.ts';
import { tellServers } from './channel.ts';
import { type Bound, type BoundSession, Customer } from './customers.ts';
import { closeSessionRow, openSessionRow, renewSessionRows } from './session-rows.ts';
import { readSystemIds, type SystemId } from './system-id-rows.ts';

const NAME = 'Heliograph';
/** Milliseconds until a revoked bind is cut off. */
const REVOKED_MS = 500;

/** Counters of requests and deliveries on binds. */
export type Counts = Pick<Bound, 'submitted' | 'refused' | 'throttled' | 'delivered'>;

const noCounts = (): Counts => ({ submitted: 0, refused: 0, throttled: 0, delivered: 0 });

function addCounts(total: Counts, { submitted, refused, throttled, delivered }: Counts): void {
  total.submitted += submitted;
  total.refused += refused;
  total.throttled += throttled;
  total.delivered += delivered;
}

/** Services that the binds of a process use. */
export interface BindContext {
  pool: pg.Pool;
  node: Pick<KeptNode, 'name' | 'draining'>;
  onBound(bound: Bound): void;
  log: Logger;
}

/** Customers' binds in this process. Admits them, keeps their rows, and applies changes to their system ids. */
export class CustomerBinds {
  readonly #context: BindContext;
  readonly #admission: BindAdmission;
  readonly #customers = new Map<number, Customer>();
  readonly #binds = new Map<BoundSession, Bound>();
  /** Counters of the binds that are closed. */
  readonly #past = noCounts();

  constructor(context: BindContext) {
    this.#context = context;
    this.#admission = new BindAdmission(context.pool);
  }

  /** Customers with at least one bind here, by the id of their system id. */
  get customers(): ReadonlyMap<number, Customer> {
    return this.#customers;
  }

  /** The bind of a session; undefined before it is admitted and after it has ended. */
  of(session: BoundSession): Bound | undefined {
    return this.#binds.get(session);
  }

  /** Counters of all binds since the process began, open and closed. */
  get totals(): Counts {
    const total = { ...this.#past };
    for (const bound of this.#binds.values()) addCounts(total, bound);
    return total;
  }

  /** Answers a bind. Never rejects. */
  async open(bind: Bind, session: BoundSession): Promise<void> {
    const { node, log } = this.#context;
    const address = plainAddress(session.remoteAddress ?? '');
    const { system_id } = bind;
    try {
      if (node.draining) {
        log.info({ system_id, address }, 'bind refused: process is draining');
        return session.refuseBind(STATUS.RBINDFAIL);
      }
      const verdict = await this.#admission.admit(bind, address);
      if ('status' in verdict) {
        log.warn({ system_id, address, reason: verdict.reason }, 'bind refused');
        return session.refuseBind(verdict.status);
      }
      await this.#letIn(bind, session, verdict.systemId, address);
    } catch (error) {
      log.error({ err: error, system_id }, 'could not check bind');
      session.refuseBind(STATUS.RSYSERR);
    }
  }

  async #letIn(
    { interface_version, system_id }: Bind,
    session: BoundSession,
    rules: SystemId,
    address: string,
  ): Promise<void> {
    const { pool, node, onBound, log } = this.#context;
    const version = interface_version >= 0x34 ? interface_version : 0x33;
    const id = await openSessionRow(pool, {
      smpp_system_id_id: rules.id,
      process: node.name,
      mode: session.mode,
      version: `${version >> 4}.${version & 15}`,
      address,
      tls: session.encrypted,
    });
    if (id === undefined) {
      log.warn({ system_id, address }, 'bind refused: too many binds');
      return session.refuseBind(STATUS.RBINDFAIL);
    }
    if (session.state !== 'binding') return closeSessionRow(pool, id);
    const customer = this.#customers.get(rules.id) ?? new Customer(rules);
    customer.rules = rules;
    this.#customers.set(rules.id, customer);
    const bound: Bound = {
      id,
      session,
      customer,
      address,
      passwordHash: rules.password_hash,
      isRevoked: false,
      version,
      owed: 0,
      ...noCounts(),
      slow_since: null,
      alerted: false,
    };
    customer.binds.add(bound);
    this.#binds.set(session, bound);
    session.acceptBind(NAME);
    // Each process gets a share of the rate in proportion to its binds, so all processes count their binds again.
    void tellServers(pool).catch(() => undefined);
    log.info({ system_id, address, mode: session.mode }, 'bound');
    onBound(bound);
  }

  /** Removes the bind of a session that has ended. */
  closed({ reason, status }: Closing, session: BoundSession): void {
    const { pool, log } = this.#context;
    const bound = this.#binds.get(session);
    if (!bound) return;
    this.#binds.delete(session);
    addCounts(this.#past, bound);
    const { customer } = bound;
    customer.binds.delete(bound);
    if (customer.binds.size === 0) this.#customers.delete(customer.rules.id);
    const { system_id } = customer.rules;
    const said = { system_id, address: bound.address, reason, ...(status && { status }) };
    if (reason === 'peer_not_reading') log.warn(said, 'bind closed: program does not read');
    else log.info(said, 'unbound');
    void closeSessionRow(pool, bound.id).catch((error: unknown) =>
      log.warn({ err: error }, 'could not record end of bind; it will expire'),
    );
  }

  /** Renews the rows of all binds, and applies changes of system ids and requested unbinds. */
  async renew(): Promise<void> {
    const { pool } = this.#context;
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
    const news = new Map((await renewSessionRows(pool, counts)).map((each) => [each.id, each]));
    const rules = await readSystemIds(pool, [...this.#customers.keys()]);
    for (const each of rules) {
      const customer = this.#customers.get(each.id);
      if (customer) customer.rules = each;
    }
    const inForce = new Map(rules.filter((each) => each.usable).map((each) => [each.id, each]));
    for (const each of bound) {
      const said = news.get(each.id);
      if (said) each.customer.bindsEverywhere = said.binds;
      // A bind whose row was deleted as dead may have been replaced. It is unbound, and its program binds again.
      const current = inForce.get(each.customer.rules.id);
      if (!current || current.password_hash !== each.passwordHash || !allowedBy(current.addresses)(each.address))
        this.#revoke(each);
      else if (!said || said.unbind) void each.session.unbind();
    }
  }

  /** Ends a bind that would no longer be admitted. Requests it still owes an answer are answered if that is quick. */
  #revoke(bound: Bound): void {
    if (bound.isRevoked) return;
    bound.isRevoked = true;
    const { session, customer, address } = bound;
    this.#context.log.info({ system_id: customer.rules.system_id, address }, 'bind revoked');
    const timer = setTimeout(() => session.destroy(), REVOKED_MS);
    void session.unbind().then(() => clearTimeout(timer));
  }

  /** Unbinds all programs, so that they bind to another process. */
  unbindAll(): void {
    for (const session of this.#binds.keys()) void session.unbind();
  }
}
