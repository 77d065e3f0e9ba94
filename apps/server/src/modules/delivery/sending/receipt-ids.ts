import { type CarrierIdRule, type DataSm, type DeliverSm, normaliseCarrierId } from '@heliograph/smpp';
import type { IdRule, Link } from './link.ts';

const RULES = ['as_is', 'hex_to_decimal', 'decimal_to_hex'] as const satisfies IdRule[];
const NOTATION: Readonly<Record<IdRule, CarrierIdRule>> = {
  as_is: 'opaque',
  hex_to_decimal: 'hex_to_dec',
  decimal_to_hex: 'dec_to_hex',
};

/** Receipts that must agree on a rule before it is taken: one id of digits alone may fit several by chance. */
const ENOUGH = 5;
/** For so many that agree, one that contradicts is borne. */
const CONTRADICTION = 10;
/** Stands before an id that would meet the message of another phone: it waits until the rule is known. */
const DOUBT = '?';

/** What the receipts looked at so far say. */
export interface Learning extends Record<IdRule, number> {
  seen: number;
}

/** The key under which a receipt's id meets its response, by a known rule; takes keys from the time before it, too. */
export const keyByRule = (id: string, rule: IdRule): string =>
  normaliseCarrierId(id.startsWith(DOUBT) ? id.slice(DOUBT.length) : id, NOTATION[rule]);

/**
 * Brings the ids of receipts to the form of responses: by the link's rule, or, until that is known, by whichever rule
 * meets a response whose recipient the receipt names. The rule that did so often enough is learned.
 */
export class ReceiptIds {
  #rule: IdRule | undefined;
  readonly #known: (carrierId: string) => string | undefined;
  readonly #onLearned: (rule: IdRule, receipts: number) => void;
  readonly #learning: Learning = { seen: 0, as_is: 0, hex_to_decimal: 0, decimal_to_hex: 0 };

  /** `known` answers the last digits of the recipient of a response's id, since carriers write the rest in several ways. */
  constructor(
    link: Pick<Link, 'id_rule' | 'learned_id_rule'>,
    known: (carrierId: string) => string | undefined,
    onLearned: (rule: IdRule, receipts: number) => void,
  ) {
    this.#rule = link.id_rule === 'learn' ? (link.learned_id_rule ?? undefined) : link.id_rule;
    this.#known = known;
    this.#onLearned = onLearned;
  }

  /** How far learning is; undefined where the rule is known. */
  get learning(): Learning | undefined {
    return this.#rule ? undefined : { ...this.#learning };
  }

  /** The key of a receipt's id. */
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
    // Where two rules come to the same, or to two messages of one phone, the receipt says nothing of the rule.
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

/** Whether a receipt is about a number, as far as it says: its addresses stand in either order, or are left out. */
function names({ source_addr, destination_addr }: { source_addr: string; destination_addr: string }, tail: string) {
  if (source_addr === '' && destination_addr === '') return true;
  return source_addr.endsWith(tail) || destination_addr.endsWith(tail);
}
