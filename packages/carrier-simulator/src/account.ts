import type { Session } from '@heliograph/smpp';
import type { Batch } from './receipt-queue.ts';

/** Place of a deliver_sm in flight: its batch and its index there. */
export interface InFlight {
  batch: Batch;
  index: number;
}

/** A customer's session as the carrier uses it: one of SMPP, or one that stands for a customer of HTTP. */
export type CarrierSession = Pick<
  Session<InFlight>,
  'systemId' | 'mode' | 'state' | 'respond' | 'leaveUnanswered' | 'destroy' | 'requestEncoded'
>;

/** One customer of the simulated carrier: everything bound under a system_id. */
export class Account {
  readonly systemId: string;
  readonly sessions = new Set<CarrierSession>();
  /** Receipts and replies that are due, in order. */
  readonly backlog: Batch[] = [];
  /** Number of receipts that are promised but not yet taken by the customer. */
  open = 0;
  #tokens = 0;
  #filledAt = 0;

  constructor(systemId: string) {
    this.systemId = systemId;
  }

  /** Takes one segment if `rate`, in segments a second, allows it. A burst may use a quarter of a second's rate. */
  admits(rate: number, now: number): boolean {
    if (rate <= 0) return true;
    const most = Math.max(1, rate / 4);
    this.#tokens = Math.min(most, this.#tokens + ((now - this.#filledAt) * rate) / 1_000);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  get hasReceiver(): boolean {
    for (const session of this.sessions) if (receives(session)) return true;
    return false;
  }

  /** Sends the backlog through every bound receiver until the windows are full. */
  pump(onSent: (seq: number) => void): void {
    for (const session of this.sessions) {
      if (!receives(session)) continue;
      let batch = this.backlog[0];
      while (batch !== undefined) {
        while (batch.left > 0) {
          const index = batch.taken;
          // onReady calls again when the window of this session has room.
          if (!session.requestEncoded(batch.writer.buffer, batch.start(index), batch.ends[index]!, { batch, index }))
            break;
          batch.taken++;
          onSent(batch.seqs[index]!);
        }
        if (batch.left > 0) break;
        this.backlog.shift();
        batch = this.backlog[0];
      }
    }
  }
}

const receives = (session: CarrierSession): boolean => session.state === 'bound' && session.mode !== 'transmitter';
