import { type CarrierIdRule, type DataSm, type DeliverSm, normaliseCarrierId } from '@heliograph/smpp';
import type { IdRule, Link } from './link.ts';

const RULES = ['as_is', 'hex_to_decimal', 'decimal_to_hex'] as const satisfies IdRule[];
const NOTATION: Readonly<Record<IdRule, CarrierIdRule>> = {
  as_is: 'opaque',
  hex_to_decimal: 'hex_to_dec',
  decimal_to_hex: 'dec_to_hex',
};

/**
 * Number of receipts that must agree on a rule before it is learned: one id with only digits may fit several by chance.
 */
const ENOUGH = 5;
/** Number of agreeing receipts for which one contradicting receipt is tolerated. */
const CONTRADICTION = 10;
/** Prefix of an id that would match the message of another phone: it waits until the rule is known. */
const DOUBT = '?';

/** Result of the receipts seen until now. */
export interface Learning extends Record<IdRule, number> {
  seen: number;
}

/**
 * Answers the key that matches a receipt's id to its response, by a known rule; keys from before the rule was known
 * work, too.
 */
export const keyByRule = (id: string, rule: IdRule): string =>
  normaliseCarrierId(id.startsWith(DOUBT) ? id.slice(DOUBT.length) : id, NOTATION[rule]);

/**
 * Converts the ids of receipts to the form of responses by the link's rule. Until the rule is known, it uses the rule
 * that matches a response to the receipt's recipient. A rule that matched often enough is learned.
 */
export class ReceiptIds {
  #rule: IdRule | undefined;
  readonly #known: (carrierId: string) => string | undefined;
  readonly #onLearned: (rule: IdRule, receipts: number) => void;
  readonly #learning: Learning = { seen: 0, as_is: 0, hex_to_decimal: 0, decimal_to_hex: 0 };

  /**
   * `known` answers the last digits of the recipient for a response's id, because carriers write the rest in several
   * ways.
   */
  constructor(
    link: Pick<Link, 'id_rule' | 'learned_id_rule'>,
    known: (carrierId: string) => string | undefined,
    onLearned: (rule: IdRule, receipts: number) => void,
  ) {
    this.#rule = link.id_rule === 'learn' ? (link.learned_id_rule ?? undefined) : link.id_rule;
    this.#known = known;
    this.#onLearned = onLearned;
  }

  /** Progress of the learning; undefined if the rule is known. */
  get learning(): Learning | undefined {
    return this.#rule ? undefined : { ...this.#learning };
  }

  /** Answers the key of a receipt's id. */
  keyOf(id: string, pdu: Pick<DeliverSm | DataSm, 'source_addr' | 'destination_addr'>): string {
    if (this.#rule) return keyByRule(id, this.#rule);
    if (id === '') return id;
    this.#learning.seen++;
    const met = RULES.filter((rule) => {
      const recipient = this.#known(keyByRule(id, rule));
      return recipient !== undefined && names(pdu, recipient);
    });
    const keys = new Set(met.map((rule) => keyByRule(id, rule)));
    if (keys.size === 0) {
      const plain = keyByRule(id, 'as_is');
      return this.#known(plain) !== undefined ? DOUBT + plain : plain;
    }
    const best = met.reduce((a, b) => (this.#learning[b] > this.#learning[a] ? b : a));
    // If two rules match the same message, or two messages of one phone, the receipt does not decide between them.
    if (met.length === 1) this.#count(best);
    return keyByRule(id, best);
  }

  #count(rule: IdRule): void {
    const agreeing = ++this.#learning[rule];
    const against = RULES.reduce((sum, other) => sum + (other === rule ? 0 : this.#learning[other]), 0);
    if (agreeing < ENOUGH || against * CONTRADICTION > agreeing) return;
    this.#rule = rule;
    this.#onLearned(rule, agreeing);
  }
}

/** Answers whether a receipt's addresses fit a number: they may be in either order, or be missing. */
function names({ source_addr, destination_addr }: { source_addr: string; destination_addr: string }, tail: string) {
  if (source_addr === '' && destination_addr === '') return true;
  return source_addr.endsWith(tail) || destination_addr.endsWith(tail);
}
