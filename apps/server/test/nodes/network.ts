import { type ChaosProxy, startChaosProxy } from '@heliograph/fault-kit';

/** Returns the address at which a host is reached and from which its connections come. */
export const addressOf = (place: number): string => `127.0.1.${place + 1}`;

/**
 * The network between the hosts of a fleet, and to the world. A host is an address of the loopback network, from
 * 127.0.1.1. Its process listens there, and all its connections come from there (host.ts). The two database servers,
 * the broker and the carriers are outside of all hosts. Each is reached through its own proxy, which sees the host of
 * every connection. Services that a host offers to the world have a proxy in front. Therefore one host can be cut off
 * from everything, or only from the database, while all others continue. Connections then stay open and nothing passes,
 * as after pulling a cable. All hosts share the memory, processors and disk of one machine.
 */
export class Network {
  readonly #databases: ChaosProxy[] = [];
  readonly #others: ChaosProxy[] = [];
  /** Proxies by the address of the host behind each. */
  readonly #fronts = new Map<string, ChaosProxy>();

  /** Opens a way from all hosts to a port outside. */
  async way(port: number, kind: 'database' | 'other' = 'other'): Promise<ChaosProxy> {
    const proxy = await startChaosProxy({ to: { port }, seed: port });
    (kind === 'database' ? this.#databases : this.#others).push(proxy);
    return proxy;
  }

  /** Opens a way from the world to a port of a host. */
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

  /** Blocks everything between a host and the rest, or only the database. */
  cutOff(place: number, from: 'all' | 'database'): void {
    this.#cut(place, from, true);
  }

  /** Connects the host again. Its connections are reset, because bytes are missing. */
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
