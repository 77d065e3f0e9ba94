import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Deltas, type FinalState } from '../../src/modules/delivery/outcomes/deltas.ts';
import type { ChunkContext, Message } from '../../src/modules/delivery/segment.ts';

// Compares the settlements that delivery makes for messages with a ledger on paper. The model counts the reserved
// amount of each account part by part, from the rules only. It must equal the ledger's amount at any moment.

const OWN = 1;
const RESELLER = 2;
const LIMIT = 5_000;
const ENDS: readonly FinalState[] = ['delivered', 'expired', 'failed_other'];

interface Account {
  credit: number;
  reserved: number;
  paid: number;
  charged: number;
}

interface Sent {
  message: Message;
  answered: Set<number>;
  ended: boolean;
  /** True for a message that never left and was given up with its chunk. */
  given_up: boolean;
}

class Paper {
  readonly accounts = new Map<number, Account>(
    [OWN, RESELLER].map((id) => [id, { credit: 0, reserved: 0, paid: 0, charged: 0 }]),
  );
  readonly sent: Sent[] = [];
  readonly #posted = new Set<string>();
  #deltas = new Deltas();
  #batches = 0;

  account(id: number): Account {
    return this.accounts.get(id)!;
  }

  pay(id: number, amount: number): void {
    this.account(id).credit += amount;
    this.account(id).paid += amount;
  }

  send(dice: number): void {
    const parts = 1 + (dice & 3);
    const unit_price = (dice >> 2) & 7;
    const reseller =
      dice & 0x20
        ? {
            billing_account_id: RESELLER,
            corporation_id: 20,
            unit_price: (dice >> 6) & 7,
            charge_on_delivery: (dice & 0x200) > 0,
          }
        : null;
    const chunk: ChunkContext = {
      id: this.sent.length,
      corporation_id: 10,
      department_id: 0,
      user_id: 0,
      billing_account_id: OWN,
      campaign_id: dice & 0x400 ? 7 : null,
      class: 'bulk',
      sender_id: 'LAMPS',
      flash: false,
      charge_on_delivery: (dice & 0x800) > 0,
      reseller,
      common_text: null,
      expires_at: null,
    } as ChunkContext;
    const takes = [
      { account: this.account(OWN), amount: parts * unit_price },
      { account: this.account(RESELLER), amount: parts * (reseller?.unit_price ?? 0) },
    ];
    if (takes.some(({ account, amount }) => amount > 0 && account.credit - amount < -LIMIT)) return;
    for (const { account, amount } of takes) {
      account.credit -= amount;
      account.reserved += amount;
    }
    const message = {
      id: this.sent.length,
      chunk,
      msisdn: '',
      text: null,
      parts,
      unit_price,
      reference: 0,
      answered_at: 0,
    };
    this.sent.push({ message, answered: new Set(), ended: false, given_up: false });
  }

  answer(which: number, part: number, accepted: boolean): void {
    const sent = this.sent[which % (this.sent.length || 1)];
    if (!sent || sent.given_up) return;
    const one = 1 + (part % sent.message.parts);
    if (sent.answered.has(one)) return;
    sent.answered.add(one);
    this.#deltas.submission(sent.message, one, accepted);
  }

  end(which: number, state: FinalState): void {
    const sent = this.sent[which % (this.sent.length || 1)];
    if (!sent || sent.ended || sent.given_up) return;
    sent.ended = true;
    this.#deltas.outcome({ message: sent.message, state, error: null, at: 0 });
  }

  giveUp(which: number): void {
    const sent = this.sent[which % (this.sent.length || 1)];
    if (!sent || sent.ended || sent.given_up || sent.answered.size > 0) return;
    sent.given_up = true;
    const { chunk, parts, unit_price } = sent.message;
    this.#deltas.unsentExpired(chunk, 1, parts, parts * unit_price);
  }

  /** Commits the batch, then the same batch again. */
  flush(): void {
    const settlements = this.#deltas.settlements(`batch ${this.#batches++}`);
    this.#deltas = new Deltas();
    for (const { key, kind, billing_account_id, amount } of [...settlements, ...settlements]) {
      assert.ok(Number.isSafeInteger(amount) && amount > 0);
      if (this.#posted.has(key)) continue;
      this.#posted.add(key);
      const account = this.account(billing_account_id);
      account.reserved -= amount;
      if (kind === 'charge') account.charged += amount;
      else account.credit += amount;
    }
    this.check();
  }

  /**
   * Returns the amount that the rules leave unsettled. An answer settles its part; if delivery counts, the end of the
   * message settles all parts.
   */
  open(id: number): number {
    let sum = 0;
    for (const { message, answered, ended, given_up } of this.sent) {
      if (given_up) continue;
      const { chunk, parts, unit_price } = message;
      const [price, onDelivery] =
        id === OWN
          ? [unit_price, chunk.charge_on_delivery]
          : [chunk.reseller?.unit_price ?? 0, chunk.reseller?.charge_on_delivery];
      sum += price * (onDelivery ? (ended ? 0 : parts) : parts - answered.size);
    }
    return sum;
  }

  check(): void {
    for (const [id, { credit, reserved, paid, charged }] of this.accounts) {
      assert.equal(reserved, this.open(id));
      assert.equal(credit + reserved, paid - charged);
      assert.ok(credit >= -LIMIT && reserved >= 0);
    }
  }
}

test('in 10,000 random sequences, reservations always equal the unsettled cost', () => {
  fc.assert(
    fc.property(fc.uint16Array({ minLength: 50, maxLength: 50 }), (steps) => {
      const paper = new Paper();
      for (const step of steps) {
        const dice = step >> 3;
        switch (step & 7) {
          case 0:
            paper.pay(dice & 1 ? OWN : RESELLER, 1 + dice);
            break;
          case 1:
          case 2:
            paper.send(dice);
            break;
          case 3:
          case 4:
            paper.answer(dice >> 3, dice & 3, (dice & 4) > 0);
            break;
          case 5:
            paper.end(dice >> 2, ENDS[dice % 3]!);
            break;
          case 6:
            paper.giveUp(dice);
            break;
          default:
            paper.flush();
        }
      }
      for (const [which, { message }] of paper.sent.entries()) {
        for (let part = 0; part < message.parts; part++) paper.answer(which, part, true);
        paper.end(which, 'delivered');
      }
      paper.flush();
      assert.equal(
        paper.account(OWN).reserved + paper.account(RESELLER).reserved,
        0,
        'in the end nothing is left reserved',
      );
    }),
    { numRuns: 10_000 },
  );
});
