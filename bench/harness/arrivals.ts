import type { Line } from './house.ts';

/** Message that was handed in, with the times of the call and of its acceptance in ms. */
export interface Accepted {
  number: string;
  calledAt: number;
  acceptedAt: number;
}

/** Arrival of each number's submit_sm at the carrier. The carrier is asked twice a second, before its log forgets. */
export class Arrivals {
  readonly at = new Map<string, number>();
  readonly #carrier: Line['carrier'];
  readonly #accepted: readonly Accepted[];
  #from = 0;

  constructor(carrier: Line['carrier'], accepted: readonly Accepted[]) {
    this.#carrier = carrier;
    this.#accepted = accepted;
  }

  get missing(): number {
    return this.#accepted.length - this.at.size;
  }

  async look(): Promise<void> {
    const wanted = this.#accepted.slice(this.#from).filter(({ number }) => !this.at.has(number));
    if (wanted.length === 0) return;
    const found = await this.#carrier.ask(`arrived ${wanted.map(({ number }) => number).join(' ')}`);
    for (const [number, at] of Object.entries(found)) this.at.set(number, at);
    while (this.#from < this.#accepted.length && this.at.has(this.#accepted[this.#from]!.number)) this.#from++;
  }
}

/** Returns the value below which a share of sorted values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
