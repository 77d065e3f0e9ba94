import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import { chunkOf, placeOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';
import type { Message } from '../segment.ts';
import type { FinalState } from './deltas.ts';

/** Final states by their number in an octet of chunk_state, from 1; the database function end_of reads them. */
const ENDS: readonly FinalState[] = [
  'delivered',
  'expired',
  'cancelled',
  'failed_submit',
  'failed_other',
  'failed_internal',
  'failed_billing',
  'blocked',
];
const NUMBERS = new Map(ENDS.map((state, index) => [state, index + 1]));
const END = 15;
const ANSWERED = 16;
/** Bit set with ANSWERED if the carrier took the part and its answer is packed. */
const PACKED = 32;

const ADD_MISSING = {
  name: 'add-chunk-states',
  text: `
    INSERT INTO chunk_state (chunk_id, corporation_id, states)
    SELECT id, corporation_id, '' FROM unnest($1::bigint[], $2::bigint[]) AS u(id, corporation_id) ON CONFLICT DO NOTHING`,
};
const LOCK = {
  name: 'lock-chunk-states',
  text: 'SELECT chunk_id, states FROM chunk_state WHERE chunk_id = ANY ($1::bigint[]) ORDER BY chunk_id FOR NO KEY UPDATE',
};
const WRITE = {
  name: 'write-chunk-states',
  text: `
    UPDATE chunk_state s SET states = u.states FROM unnest($1::bigint[], $2::bytea[]) AS u(id, states)
    WHERE s.chunk_id = u.id`,
};

/**
 * States of the messages of some chunks, locked until the transaction ends. Every recorder checks them first, so that a
 * message ends only once, and a message of one part is answered only once.
 */
export class ChunkStates {
  readonly #states = new Map<number, Buffer>();
  readonly #changed = new Set<number>();

  /** Locks the chunks of the messages, in one order everywhere; waits for other holders. */
  static async lock(client: pg.Client, messages: Iterable<Message>): Promise<ChunkStates> {
    const corporations = new Map<number, number>();
    for (const { chunk } of messages) corporations.set(chunk.id, chunk.corporation_id);
    const states = new ChunkStates();
    if (corporations.size === 0) return states;
    const ids = [...corporations.keys()].sort((a, b) => a - b);
    const [, { rows }] = await together([
      client.query({ ...ADD_MISSING, values: [numberArray(ids), numberArray(ids.map((id) => corporations.get(id)!))] }),
      client.query<{ chunk_id: number; states: Buffer }>({ ...LOCK, values: [numberArray(ids)] }),
    ]);
    for (const row of rows) states.#states.set(row.chunk_id, row.states);
    return states;
  }

  #octet(messageId: number): number {
    return this.#states.get(chunkOf(messageId))![placeOf(messageId)] ?? 0;
  }

  #set(messageId: number, bits: number): void {
    const id = chunkOf(messageId);
    const place = placeOf(messageId);
    let states = this.#states.get(id)!;
    if (states.length <= place) {
      // Grows by half: the places of a chunk are filled nearly in order.
      const grown = Buffer.alloc(Math.min(1024, place + 1 + (place >> 1)));
      states.copy(grown);
      states = grown;
      this.#states.set(id, states);
    }
    states[place]! |= bits;
    this.#changed.add(id);
  }

  /** Ends the message in this state. If it has ended before, nothing changes and the answer is false. */
  end({ id }: Message, state: FinalState): boolean {
    if ((this.#octet(id) & END) !== 0) return false;
    this.#set(id, NUMBERS.get(state)!);
    return true;
  }

  /**
   * Marks the only part of the message as answered. If it was answered before, nothing changes and the answer is false.
   */
  answer({ id }: Message, packed: boolean): boolean {
    if ((this.#octet(id) & ANSWERED) !== 0) return false;
    this.#set(id, packed ? ANSWERED | PACKED : ANSWERED);
    return true;
  }

  /** Writes the changes since the last time. */
  async write(client: pg.Client): Promise<void> {
    if (this.#changed.size === 0) return;
    const ids = [...this.#changed];
    this.#changed.clear();
    const literals = ids.map((id) => `"\\\\x${this.#states.get(id)!.toString('hex')}"`);
    await client.query({ ...WRITE, values: [numberArray(ids), `{${literals.join()}}`] });
  }
}

/** Answers whether the message at a place of a chunk has ended, by the chunk's states. */
export const hasEnded = (states: Buffer | null | undefined, place: number): boolean =>
  ((states?.[place] ?? 0) & END) !== 0;

/** Octet of message `m` in its chunk's row `s` of chunk_state, which may be missing. */
export const FLAGS = 'flags_of(s.states, m.id & 1023)';

/**
 * Builds the expression for the state of message `m` of chunk `k`; `flags` is its octet. A message that the carrier
 * refused for now has not left.
 */
export const stateOfMessage = (flags: string): string =>
  `CASE WHEN end_of(${flags}) IS NULL AND EXISTS (SELECT FROM retry y WHERE y.message_id = m.id AND y.part = 1)
    THEN 'pending'::message_state ELSE state_of_message(end_of(${flags}), m.id & 1023, k.cursor, k.state) END`;

/** Condition that message `m` has not ended. */
export const HAS_NO_END = `${FLAGS} & ${END} = 0`;

/** Condition that the carrier answered part `p.part` of message `m`. */
export const IS_ANSWERED = `CASE WHEN m.parts = 1 THEN ${FLAGS} & ${ANSWERED} > 0
  ELSE EXISTS (SELECT FROM submission x WHERE x.message_id = m.id AND x.part = p.part) END`;
