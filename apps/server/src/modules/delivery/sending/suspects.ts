/** Number of different messages in a row with such a refusal from which the link itself is at fault. */
const LINK_AT_FAULT = 3;
/**
 * Maximum tries of a message with such a refusal: while others are taken, and while it is unknown whether others would
 * be.
 */
const TRIES = 5;
const TRIES_ALONE = 20;
/** Maximum messages that are remembered; the oldest are dropped first. */
const MOST = 10_000;

interface Refused {
  tries: number;
  /** Messages that the carrier had taken when this one was first refused. */
  takenBefore: number;
}

/**
 * Distinguishes a link at fault from a message at fault. Some carriers answer one message, each time it comes, with a
 * status about the bind or the command.
 */
export class Suspects {
  readonly #refused = new Map<number, Refused>();
  readonly #inRow = new Set<number>();
  #taken = 0;

  /** Notes a message that the carrier took. */
  accepted(messageId: number): void {
    this.#taken++;
    if (this.#inRow.size > 0) this.#inRow.clear();
    if (this.#refused.size > 0) this.#refused.delete(messageId);
  }

  /** Answers what is at fault after one more such refusal; `spent` for a message that had all its tries. */
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
