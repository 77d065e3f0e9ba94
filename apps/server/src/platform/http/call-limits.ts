import type { FastifyRequest } from 'fastify';
import { BusinessError } from '../errors.ts';
import { addressGroup } from './address-group.ts';

const WINDOW_MS = 60_000;
/** Maximum counts and credentials that are remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 50_000;

declare module 'fastify' {
  interface FastifyInstance {
    callLimits: CallLimits;
  }
  interface FastifyRequest {
    /** Address that a call was counted for while its caller is unknown, or `NOBODY`; undefined before it is counted. */
    callCountedFor: string | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Whether the route is not counted: a file of the console, a probe, a short link that thousands follow from one
     * address.
     */
    unlimited?: boolean;
  }
}

/** Stands for a call that counts for no address. */
const NOBODY = '';

/** The bearer token of a request; undefined if it has none. */
export const bearerOf = (request: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];

/**
 * Counts calls by the minute, within this process. A session that has proven itself has its own count, so that people
 * behind one address do not use up each other's calls. Everything else counts for its address, before the database is
 * asked. Programs with a key that has proven itself are limited by their throughput instead.
 */
export class CallLimits {
  readonly #max: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, { calls: number; since: number }>();
  /** Session of each credential that was proven from an address; null for an API key. */
  readonly #proven = new Map<string, string | null>();

  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** Counts a call once. Throws `too_many_requests` if its session, or its address, has made as many as it may. */
  count(request: FastifyRequest): void {
    if (request.callCountedFor !== undefined) return;
    request.callCountedFor = NOBODY;
    const holder = this.#proven.get(credentialOf(request));
    if (holder === null) return;
    const by = holder ?? addressGroup(request.ip);
    if (holder === undefined) request.callCountedFor = by;
    this.#take(by);
  }

  /**
   * Notes that the credential of a call is valid: `session` is its session, or null for an API key. The address gets
   * the call back.
   */
  proved(request: FastifyRequest, session: string | null): void {
    const address = request.callCountedFor;
    if (address === undefined || address === NOBODY) return;
    request.callCountedFor = NOBODY;
    const counted = this.#counts.get(address);
    if (counted && counted.calls > 0) counted.calls--;
    remember(this.#proven, credentialOf(request), session);
    if (session !== null) this.#entry(session).calls++;
  }

  /** Notes that the credential of a call is invalid: from now on its calls count for their address. */
  refused(request: FastifyRequest): void {
    this.#proven.delete(credentialOf(request));
  }

  #entry(by: string): { calls: number; since: number } {
    const now = this.#now();
    const kept = this.#counts.get(by);
    if (kept && now - kept.since < WINDOW_MS) return kept;
    const entry = { calls: 0, since: now };
    remember(this.#counts, by, entry);
    return entry;
  }

  #take(by: string): void {
    const entry = this.#entry(by);
    if (entry.calls >= this.#max) {
      const seconds = Math.ceil((entry.since + WINDOW_MS - this.#now()) / 1_000);
      throw new BusinessError('too_many_requests', {
        retryAfter: seconds,
        allowance: { name: 'calls', limit: this.#max, seconds: WINDOW_MS / 1_000 },
      });
    }
    entry.calls++;
  }
}

/** The address is part of it: a stolen credential is not proven by its owner's calls from elsewhere. */
const credentialOf = (request: FastifyRequest): string => `${request.ip} ${bearerOf(request) ?? ''}`;

/** Sets an entry as the newest, and removes the oldest if there are too many. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > MOST_REMEMBERED) map.delete(map.keys().next().value!);
}
