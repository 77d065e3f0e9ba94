import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Closing, STATUS, statusName } from '@heliograph/smpp';
import type pg from 'pg';
import { bind } from '../smpp-server/stage.ts';

const BINDS = 2;
const IN_FLIGHT = 5;
/** Answers after which a program pauses and sends again. */
const AGAIN: readonly number[] = [STATUS.RMSGQFUL, STATUS.RTHROTTLED];

/**
 * A customer's program that submits messages one by one, each to its own number. It binds again after a bind has ended.
 */
export class Program {
  /** Command_status of the answer, by number; undefined without an answer. */
  readonly #outcomes = new Map<string, number | undefined>();
  readonly #closings: Closing[] = [];
  readonly #as: { port: number; systemId: string; sender: string };
  readonly #binds: Promise<void>[];
  #going = true;

  constructor(as: { port: number; systemId: string; sender: string }) {
    this.#as = as;
    this.#binds = Array.from({ length: BINDS }, () => this.#keepBound());
  }

  async #keepBound(): Promise<void> {
    while (this.#going) {
      const esme = await bind(this.#as, this.#as.systemId).catch(() => undefined);
      if (!esme) {
        await sleep(200);
        continue;
      }
      let ended = false;
      void esme.closed.then((closing) => {
        ended = true;
        if (this.#going) this.#closings.push(closing);
      });
      const line = async () => {
        while (this.#going && !ended) {
          const number = `63917${String(this.#outcomes.size).padStart(7, '0')}`;
          this.#outcomes.set(number, undefined);
          const fields = { source_addr: this.#as.sender, destination_addr: number };
          const outcome = await esme.submit(fields).catch(() => undefined);
          if (outcome?.kind === 'answered') this.#outcomes.set(number, outcome.status);
          await sleep(outcome?.status === STATUS.ROK ? 10 : 100);
        }
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, line));
      if (!ended) await esme.session.unbind();
    }
  }

  #count(of: (status: number | undefined) => boolean): number {
    return [...this.#outcomes.values()].filter(of).length;
  }

  /** Number of messages answered with ROK. */
  get taken(): number {
    return this.#count((status) => status === STATUS.ROK);
  }

  /** Number of messages whose answer asks to send again. */
  get told(): number {
    return this.#count((status) => status !== undefined && AGAIN.includes(status));
  }

  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#binds);
  }

  /**
   * Asserts, after `stop`, that each message answered with ROK is stored once. All others are stored at most once, and
   * any answer to them asks to send again. Binds must have ended in order. Returns a summary in words.
   */
  async assertTruth(owner: pg.Pool): Promise<string> {
    const { rows } = await owner.query<{ number: string; messages: number }>(
      `SELECT m.number, count(*) AS messages FROM program_message p JOIN message_row m ON m.id = p.message_id
       WHERE p.smpp_system_id IS NOT NULL GROUP BY m.number`,
    );
    const stored = new Map(rows.map(({ number, messages }) => [number, messages]));
    for (const [number, status] of this.#outcomes) {
      const messages = stored.get(number) ?? 0;
      stored.delete(number);
      if (status === STATUS.ROK) assert.equal(messages, 1, `${number} was taken`);
      else assert.ok(messages <= 1, `${number} is there ${messages} times`);
      assert.ok(status === undefined || status === STATUS.ROK || AGAIN.includes(status), statusName(status ?? 0));
    }
    assert.equal(stored.size, 0, 'nothing is there that nobody handed in');
    // A bind that is mistaken for dead is unbound; none is cut off.
    const cut = this.#closings.filter(({ reason }) => reason !== 'peer_unbound');
    assert.deepEqual(cut, []);
    const { size } = this.#outcomes;
    return `${size} submits: ${this.taken} taken, ${this.told} told to come again, ${this.#closings.length} binds ended`;
  }
}
