import {
  type ApplicationRequest,
  type DataSm,
  type DeliverSm,
  encodeInto,
  normaliseCarrierId,
  PduWriter,
  parseReceipt,
  type Session,
  STATUS,
} from '@heliograph/smpp';
import { CarrierIds } from '../outcomes/carrier-ids.ts';
import { finalState, type IncomingReceipt } from '../outcomes/entry.ts';
import type { Journal } from '../outcomes/journal.ts';
import type { Segment } from '../segment.ts';
import { type Link, RECEIPT_ID_RULE } from './link.ts';

/** A message from a phone, as its PDU came. */
export interface MobileOriginated {
  link_id: number;
  pdu: DeliverSm | DataSm;
}

/** Takes over a mobile-originated message; once it resolves the carrier is told that it is ours. */
export type OnInbound = (message: MobileOriginated) => Promise<void>;

/** Receipts that came before their response are remembered up to this many; the rest is found by a sweep. */
const PARKED = 50_000;

/** What comes from the carrier of one link: receipts to be matched and recorded, and messages from phones. */
export class Inbound {
  readonly #link: Link;
  readonly #journal: Journal;
  readonly #onInbound: OnInbound;
  readonly #ids = new CarrierIds();
  readonly #parked = new Map<string, IncomingReceipt[]>();
  readonly #writer = new PduWriter(4_096);
  #lastAt = 0;

  constructor(link: Link, journal: Journal, onInbound: OnInbound) {
    this.#link = link;
    this.#journal = journal;
    this.#onInbound = onInbound;
  }

  /** A response named the segment's id: receipts will find it, also those that were there first. */
  learn(carrierId: string, segment: Segment): void {
    this.#ids.add(carrierId, segment);
    const parked = this.#parked.get(carrierId);
    if (!parked) return;
    this.#parked.delete(carrierId);
    for (const receipt of parked) this.#adopt(receipt, segment);
  }

  receive(requests: readonly ApplicationRequest[], session: Session<Segment>): void {
    for (const request of requests) {
      if (request.command === 'deliver_sm' || request.command === 'data_sm') this.#message(request, session);
      else session.respond(request, STATUS.RINVCMDID);
    }
  }

  #message(pdu: DeliverSm | DataSm, session: Session<Segment>): void {
    const { command, sequence } = pdu;
    const receipt = parseReceipt(pdu, true);
    if (!receipt) {
      this.#onInbound({ link_id: this.#link.id, pdu }).then(
        () => session.respond({ command, sequence }, STATUS.ROK),
        () => session.respond({ command, sequence }, STATUS.RX_T_APPN),
      );
      return;
    }
    const carrierId = normaliseCarrierId(receipt.id, RECEIPT_ID_RULE[this.#link.id_rule]);
    const state = receipt.intermediate ? 'enroute' : (receipt.state ?? 'unrecognised');
    const entry: IncomingReceipt = {
      kind: 'receipt',
      link_id: this.#link.id,
      carrier_id: carrierId,
      state,
      error: receipt.error,
      raw: this.#octets(pdu),
      at: this.#moment(),
      segment: this.#ids.find(carrierId),
      settle: (stored) => {
        session.respond({ command, sequence }, stored ? STATUS.ROK : STATUS.RX_T_APPN);
        if (!stored || !finalState(state)) return;
        if (entry.segment) this.#ids.forget(carrierId);
        else this.#park(entry);
      },
    };
    this.#journal.add(entry);
  }

  /** The PDU as bytes of its own: what the session gave are views into what it reads next. */
  #octets(pdu: DeliverSm | DataSm): Buffer {
    this.#writer.length = 0;
    encodeInto(this.#writer, pdu);
    return Buffer.from(this.#writer.view());
  }

  /** Now in milliseconds, but never twice the same, so that link, id and time name one receipt. */
  #moment(): number {
    const now = Date.now();
    this.#lastAt = now > this.#lastAt ? now : this.#lastAt + 0.001;
    return this.#lastAt;
  }

  /** Committed without its message; the response may have come meanwhile. */
  #park(receipt: IncomingReceipt): void {
    const segment = this.#ids.find(receipt.carrier_id);
    if (segment) {
      this.#adopt(receipt, segment);
      return;
    }
    if (this.#parked.size >= PARKED) this.#parked.delete(this.#parked.keys().next().value!);
    this.#parked.set(receipt.carrier_id, [...(this.#parked.get(receipt.carrier_id) ?? []), receipt]);
  }

  #adopt({ link_id, carrier_id, state, error, at }: IncomingReceipt, segment: Segment): void {
    this.#journal.add({ kind: 'adoption', link_id, carrier_id, state, error, at, segment });
  }
}
