import {
  type AnswerMeaning,
  type AnswerRule,
  answerRule,
  type HttpMapping,
} from '@heliograph/contract/links/http-mapping';
import { listAt, type Said, said, textAt } from './selectors.ts';

/** Meaning of an answer for one message, and the carrier's ID if it took the message. */
export interface MessageAnswer {
  means: AnswerMeaning;
  id: string | undefined;
}

/** Reader of one link's answers. */
export class AnswerReader {
  readonly #mapping: HttpMapping;
  readonly #rules: AnswerRule[];

  constructor(mapping: HttpMapping) {
    this.#mapping = mapping;
    this.#rules = mapping.answers.flatMap((line) => answerRule(line) ?? []);
  }

  /** Reads the answer to a request with messages to these numbers; one meaning for each, in their order. */
  read(status: number, body: string, numbers: readonly string[]): MessageAnswer[] {
    const whole = said(body);
    const { list } = this.#mapping;
    const items = list === '' ? undefined : listAt(whole, list);
    if (!items) return numbers.map(() => this.#one(status, whole));
    return this.#inOrder(items, numbers).map((item) =>
      item ? this.#one(status, item) : { means: 'unknown', id: undefined },
    );
  }

  /** Finds the element of each number: by the number if the carrier repeats it, else by its place. */
  #inOrder(items: readonly Said[], numbers: readonly string[]): (Said | undefined)[] {
    const { number } = this.#mapping;
    if (number === '') return numbers.map((_, place) => items[place]);
    const left = items.map((item) => ({ item, number: (textAt(item, number) ?? '').replace(/\D/g, '') }));
    return numbers.map((wanted) => {
      const place = left.findIndex((each) => each.number === wanted);
      return place < 0 ? undefined : left.splice(place, 1)[0]!.item;
    });
  }

  #one(status: number, document: Said): MessageAnswer {
    const means = this.#meaning(status, document);
    if (means !== 'accepted') return { means, id: undefined };
    const id = textAt(document, this.#mapping.id)?.trim();
    // Acceptance without the ID that the carrier always gives is the page of a proxy, or an answer that was cut off.
    return this.#mapping.id !== '' && !id ? { means: 'unknown', id: undefined } : { means, id };
  }

  #meaning(status: number, document: Said): AnswerMeaning {
    for (const rule of this.#rules) {
      if (!isStatus(rule.status, status)) continue;
      if (rule.at === '') return rule.means;
      const value = textAt(document, rule.at);
      if (value !== undefined && rule.matches.test(value)) return rule.means;
    }
    const usual = usualMeaning(status);
    // A table that says what acceptance looks like has not seen it here.
    return usual === 'accepted' && this.#rules.some(({ means }) => means === 'accepted') ? 'unknown' : usual;
  }
}

const isStatus = (wanted: string, status: number): boolean =>
  wanted === '*' || (wanted.endsWith('xx') ? wanted[0] === String(status)[0] : wanted === String(status));

/**
 * Answers what a status means if no rule says it. Only an answer that shows that the message was not taken lets it leave
 * again: behind a 500, a 502 or a 504 the message may be on its way.
 */
function usualMeaning(status: number): AnswerMeaning {
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 429) return 'throttled';
  if (status === 503) return 'temporary';
  if (status === 408 || status >= 500 || status < 200) return 'unknown';
  // A redirect, a wrong address or a wrong password is the same for every message.
  return status < 400 || [401, 403, 404, 405, 407].includes(status) ? 'account' : 'refused';
}

/** Maximum wait that a carrier may ask for. */
const LONGEST_PAUSE_MS = 300_000;

/** Reads the header Retry-After (seconds, or a date) as milliseconds; 0 without one. */
export function retryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0;
  const wait = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(LONGEST_PAUSE_MS, Math.max(0, wait));
}
