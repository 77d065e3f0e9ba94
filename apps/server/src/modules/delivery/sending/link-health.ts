import { type Outcome, statusKind } from '@heliograph/smpp';

/**
 * State of a link that its holder reports to routing. Routing itself sees an operator's decisions and a silent holder.
 */
export type HeldState = 'up' | 'connecting' | 'down' | 'throttled' | 'failing';

/** An answer of a carrier, with its message if that is known. */
type Answered = Pick<Outcome<unknown>, 'kind' | 'status'> & { context?: { message: { id: number } } };

type Answer = 'good' | 'throttle' | 'bad';

/** Limits of the judged answers: at most the last 20 of the last half minute, and at least a few. */
const JUDGED = 20;
const FEWEST = 5;
const RECENT_MS = 30_000;
/** Shares of bad answers at which a link falls, and of good ones at which it has recovered. */
const MOST_BAD = 0.6;
const MOST_GOOD = 0.8;
/** Share of the agreed rate below which a carrier counts as heavily throttled. */
const HEAVILY = 0.1;

/** Time for which a bind must be up after a fall, and rest of a link after bad answers. */
const STEADY_MS = 2_000;
const REST_MS = 10_000;
/**
 * Maximum of each of these times, which double with each further fall; and the time up after which falls are forgotten.
 */
const LONGEST_STEADY_MS = 60_000;
const LONGEST_REST_MS = 300_000;
const FORGIVEN_MS = 300_000;

/**
 * Judge of one link by its binds and its carrier's answers. It changes the state reluctantly, so that messages are not
 * moved to and fro.
 */
export class LinkHealth {
  readonly #now: () => number;
  readonly #answers: { answer: Answer; at: number; messageId: number | undefined }[] = [];
  #state: HeldState = 'connecting';
  #boundSince: number | undefined;
  #since: number;
  #falls = 0;

  /** `now` answers milliseconds on a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /**
   * Takes the carrier's answers. A refusal of one message is an answer of a healthy carrier. A message with a bad
   * answer at each try counts once.
   */
  take(outcomes: readonly Answered[]): void {
    const at = this.#now();
    // Only the last ones are judged, however many came together.
    for (const { kind, status, context } of outcomes.slice(-JUDGED)) {
      if (kind === 'unsent') continue;
      const means = kind === 'uncertain' ? 'retry' : statusKind(status);
      const answer = means === 'throttle' ? 'throttle' : means === 'accepted' || means === 'refuse' ? 'good' : 'bad';
      const messageId = context?.message.id;
      const before = answer === 'bad' && messageId !== undefined ? this.#badOf(messageId) : undefined;
      if (before) before.at = at;
      else this.#answers.push({ answer, at, messageId });
    }
    if (this.#answers.length > JUDGED) this.#answers.splice(0, this.#answers.length - JUDGED);
  }

  #badOf(messageId: number) {
    return this.#answers.find((each) => each.answer === 'bad' && each.messageId === messageId);
  }

  /**
   * Answers the current state; call it at least once a second. `rate` and `agreed` are in segments per second, null for
   * no limit.
   */
  observe(bound: boolean, rate: number, agreed: number | null): HeldState {
    const now = this.#now();
    if (bound) this.#boundSince ??= now;
    else this.#boundSince = undefined;
    const slowed = agreed !== null && rate < agreed * HEAVILY;
    if (!bound) {
      if (this.#state !== 'connecting') this.#fall('down');
    } else if (this.#state === 'connecting') {
      this.#rise();
    } else if (this.#state === 'up') {
      if (now - this.#since > FORGIVEN_MS) this.#falls = 0;
      const fault = slowed ? 'throttled' : this.#fault();
      if (fault) this.#fall(fault);
    } else if (this.#state === 'down') {
      if (now - this.#boundSince! >= this.#wait(STEADY_MS, LONGEST_STEADY_MS)) this.#rise();
    } else if (!slowed && (this.#recovered() || now - this.#since >= this.#wait(REST_MS, LONGEST_REST_MS))) {
      this.#rise();
    }
    return this.#state;
  }

  #wait(first: number, longest: number): number {
    return Math.min(longest, first * 2 ** Math.max(0, this.#falls - 1));
  }

  #fall(state: HeldState): void {
    if (this.#state === state) return;
    if (this.#state === 'up') this.#falls++;
    this.#state = state;
    this.#since = this.#now();
    // Earlier answers are dropped: only later ones can show a recovery.
    this.#answers.length = 0;
  }

  #rise(): void {
    this.#state = 'up';
    this.#since = this.#now();
    this.#answers.length = 0;
  }

  #share(answer: Answer): number {
    const from = this.#now() - RECENT_MS;
    const recent = this.#answers.filter(({ at }) => at >= from);
    return recent.length < FEWEST ? 0 : recent.filter((each) => each.answer === answer).length / recent.length;
  }

  #fault(): HeldState | undefined {
    const throttled = this.#share('throttle');
    const bad = this.#share('bad');
    if (throttled + bad < MOST_BAD) return undefined;
    return throttled > bad ? 'throttled' : 'failing';
  }

  #recovered(): boolean {
    return this.#answers.length >= JUDGED && this.#share('good') >= MOST_GOOD;
  }
}
