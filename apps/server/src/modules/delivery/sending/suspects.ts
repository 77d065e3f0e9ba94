/** Different messages in a row that have to be refused so before the link itself is at fault. */
const LINK_AT_FAULT = 3;
/** Tries of a message that is refused so while others are taken; of one where nothing tells whether others would be. */
const TRIES = 5;
const TRIES_ALONE = 20;
/** Messages that are remembered; the oldest go first. */
const MOST = 10_000;

interface Refused {
  tries: number;
  /** Messages that the carrier had taken when this one was first refused. */
  takenBefore: number;
}

/**
 * Tells a link that is at fault from a message that is: some carriers answer one message with a status that speaks of the
 * bind or of the command, each time it comes.
 */
export class Suspects {
  readonly #refused = new Map<number, Refused>();
  readonly #inRow = new Set<number>();
  #taken = 0;

  /** The carrier took a message. */
  accepted(messageId: number): void {
    this.#taken++;
    if (this.#inRow.size > 0) this.#inRow.clear();
    if (this.#refused.size > 0) this.#refused.delete(messageId);
  }

  /** What is at fault after one more such refusal; `spent` where it is a message that had all its tries. */
  refused(messageId: number): 'link' | 'message' | 'spent' {
    const before = this.#refused.get(messageId) ?? { tries: 0, takenBefore: this.#taken };
    const refused = { ...before, tries: before.tries + 1 };
    this.#refused.delete(messageId);
    this.#refused.set(messageId, refused);
    if (this.#refused.size > MOST) this.#refused.delete(this.#refused.keys().next().value!);
    this.#inRow.add(messageId);
    if (this.#inRow.size >= LINK_AT_FAULT) return 'link';
    if (refused.tries < (this.#taken > refused.takenBefore ? TRIES : TRIES_ALONE)) return 'message';
    this.#refused.delete(messageId);
    return 'spent';
  }
}
