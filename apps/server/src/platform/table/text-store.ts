import { BusinessError } from '../errors.ts';

const CHUNK_BYTES = 1 << 20;
/**
 * Maximum texts and bytes of text that a workbook may share among its cells; a sheet at Excel's own limits stays below.
 */
const MAX_TEXTS = 5_000_000;
const MAX_BYTES = 96 << 20;

/** Texts by number, stored outside of the heap: five million short strings would take a hundred bytes each in it. */
export class TextStore {
  readonly #chunks: Buffer[] = [];
  #used = CHUNK_BYTES;
  #starts = new Uint32Array(1_024);
  #lengths = new Uint32Array(1_024);
  #count = 0;

  /** Adds a text of at most 32,767 characters. Throws `workbook_too_large` past the bounds. */
  add(text: string): void {
    const bytes = Buffer.byteLength(text);
    if (this.#count >= MAX_TEXTS) throw new BusinessError('workbook_too_large');
    if (this.#chunks.length === 0 || this.#used + bytes > CHUNK_BYTES) {
      if ((this.#chunks.length + 1) * CHUNK_BYTES > MAX_BYTES) throw new BusinessError('workbook_too_large');
      this.#chunks.push(Buffer.allocUnsafe(CHUNK_BYTES));
      this.#used = 0;
    }
    if (this.#count === this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#lengths = grown(this.#lengths);
    }
    this.#chunks.at(-1)!.write(text, this.#used);
    this.#starts[this.#count] = (this.#chunks.length - 1) * CHUNK_BYTES + this.#used;
    this.#lengths[this.#count] = bytes;
    this.#used += bytes;
    this.#count++;
  }

  /** Answers the text at an index; empty if there is none. */
  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return '';
    const start = this.#starts[index]!;
    const at = start % CHUNK_BYTES;
    return this.#chunks[Math.floor(start / CHUNK_BYTES)]!.toString('utf8', at, at + this.#lengths[index]!);
  }
}

function grown(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}
