import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { HeliographError } from '../errors.ts';

/** State of one batch of an import. */
type Entry =
  | { batch: number; state: 'begun'; at: string; import: string }
  | {
      batch: number;
      state: 'done';
      id: string | null;
      accepted: number;
      rejected: number;
      parts: number;
      price: string;
    }
  | { batch: number; state: 'not sent' };
export type Done = Extract<Entry, { state: 'done' }>;

/**
 * Maximum age of a batch without an answer that may be sent again with its key. The platform keeps keys for 24 hours;
 * after that the batch could be sent twice.
 */
const SURE_MS = 23 * 3_600_000;

/** Progress of an import, in a file next to the one it reads. It has a line before and a line after each batch. */
export class Journal {
  readonly #path: string;
  readonly #import: string;
  readonly #entries = new Map<number, Entry>();

  constructor(path: string, name: string) {
    this.#path = path;
    this.#import = name;
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    for (const line of lines.filter(Boolean)) {
      const entry = JSON.parse(line) as Entry;
      if (entry.state === 'begun' && entry.import !== name)
        throw new HeliographError(
          `${path} belongs to an import with other contents or options. Continue that import, or delete the file to start again.`,
        );
      this.#entries.set(entry.batch, entry);
    }
  }

  /** Returns the result of a batch, if it was answered. */
  done(batch: number): Done | undefined {
    const entry = this.#entries.get(batch);
    return entry?.state === 'done' ? entry : undefined;
  }

  /**
   * Records that a batch is about to be sent; call it before. Throws if the batch was begun so long ago that the
   * platform may have dropped its key.
   */
  begin(batch: number, again: boolean): void {
    const entry = this.#entries.get(batch);
    if (entry?.state === 'begun' && !again && Date.now() - Date.parse(entry.at) > SURE_MS)
      throw new HeliographError(
        `Batch ${batch} was started at ${entry.at}, and its answer is unknown. It is too old to ask again. Check in the console whether it was sent. Then use --skip ${batch} to continue after it, or --again to send it.`,
      );
    if (entry?.state === 'begun' && !again) return;
    this.#write({ batch, state: 'begun', at: new Date().toISOString(), import: this.#import });
  }

  /** Records the end of a batch; call it when the answer has arrived. */
  end(entry: Exclude<Entry, { state: 'begun' }>): void {
    this.#write(entry);
  }

  #write(entry: Entry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
    this.#entries.set(entry.batch, entry);
  }
}
