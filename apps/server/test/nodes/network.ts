import { type ChaosProxy, startChaosProxy } from '@heliograph/fault-kit';

/** Where a host can be reached, and what its connections come from. */
export const addressOf = (place: number): string => `127.0.1.${place + 1}`;

/**
 * The network between the hosts of a fleet, and to the world. A host is an address of the loopback network, 127.0.1.1 and on: its process
 * listens there and all its connections come from there (host.ts). What is outside of all hosts, the two database servers, the broker
 * and the carriers, is reached by one proxy each, which sees from which host a connection comes; what a host serves to the world has
 * a proxy in front. So one host can be cut off from everything, or from the database alone, while all others go on: connections
 * stay open and nothing passes, as when a cable is pulled. Memory, processors and the disk are one machine's.
 */
export class Network {
  readonly #databases: ChaosProxy[] = [];
  readonly #others: ChaosProxy[] = [];
  /** By the address of the host behind. */
  readonly #fronts = new Map<string, ChaosProxy>();

  /** A way from all hosts to a port outside. */
  async way(port: number, kind: 'database' | 'other' = 'other'): Promise<ChaosProxy> {
    const proxy = await startChaosProxy({ to: { port }, seed: port });
    (kind === 'database' ? this.#databases : this.#others).push(proxy);
    return proxy;
  }

  /** A way from the world to a port of a host. */
  async front(place: number, port: number): Promise<ChaosProxy> {
    const host = addressOf(place);
    const proxy = await startChaosProxy({ to: { host, port }, seed: port });
    this.#fronts.set(host, proxy);
    return proxy;
  }

  /** Ports of the database servers, as hosts reach them. */
  get databases(): number[] {
    return this.#databases.map(({ port }) => port);
  }

  /** Nothing passes any more between a host and all else, or the database. */
  cutOff(place: number, from: 'all' | 'database'): void {
    this.#cut(place, from, true);
  }

  /** The host is back. Its connections have noticed that bytes are missing. */
  heal(place: number, from: 'all' | 'database'): void {
    this.#cut(place, from, false);
    const host = addressOf(place);
    for (const proxy of this.#ways(from)) proxy.resetAll(host);
    if (from === 'all') this.#fronts.get(host)?.resetAll();
  }

  #cut(place: number, from: 'all' | 'database', on: boolean): void {
    const host = addressOf(place);
    for (const proxy of this.#ways(from)) proxy.blackHole(on, host);
    if (from === 'all') this.#fronts.get(host)?.blackHole(on);
  }

  #ways(from: 'all' | 'database'): ChaosProxy[] {
    return from === 'all' ? [...this.#databases, ...this.#others] : this.#databases;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#ways('all'), ...this.#fronts.values()].map((proxy) => proxy.stop()));
  }
}
