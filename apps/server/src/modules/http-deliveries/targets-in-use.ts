/**
 * Time for which a reading is used. A change of a secret or an address takes effect within a second: this time plus one
 * reading.
 */
const FRESH_MS = 800;

/** Settings of targets as they were within the last second. */
export class TargetsInUse<Target> {
  readonly #read: (ids: readonly number[]) => Promise<Map<number, Target>>;
  readonly #known = new Map<number, { target: Target | undefined; at: number }>();
  readonly #wanted = new Set<number>();
  #reading: Promise<void> | undefined;

  constructor(read: (ids: readonly number[]) => Promise<Map<number, Target>>) {
    this.#read = read;
  }

  /** Returns the target, or undefined if it was deleted. Throws if the database does not answer. */
  async of(id: number): Promise<Target | undefined> {
    for (;;) {
      const known = this.#known.get(id);
      if (known && performance.now() - known.at < FRESH_MS) return known.target;
      this.#wanted.add(id);
      this.#reading ??= this.#readWanted().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
  }

  async #readWanted(): Promise<void> {
    // Requests of the same turn are read together.
    await new Promise(setImmediate);
    const ids = [...this.#wanted];
    this.#wanted.clear();
    const at = performance.now();
    const found = await this.#read(ids);
    for (const id of ids) this.#known.set(id, { target: found.get(id), at });
  }

  /** Removes targets that were not used lately. */
  tidy(): void {
    const long = performance.now() - 60_000;
    for (const [id, { at }] of this.#known) if (at < long) this.#known.delete(id);
  }
}
