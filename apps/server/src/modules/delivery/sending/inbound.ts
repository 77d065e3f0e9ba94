import {
  type ApplicationRequest,
  type DataSm,
  type DeliverSm,
  type PduFrame,
  parseReceipt,
  type Receipt,
  STATUS,
} from '@heliograph/smpp';
import { failpoint } from '#platform/failpoints';
import { finalState, type IncomingReceipt } from '../outcomes/entry.ts';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import type { Segment } from '../segment.ts';
import type { AccountIds } from './account-ids.ts';
import type { Bringer } from './carrier-sessions.ts';
import type { IdRule, Link } from './link.ts';
import type { LinkReport } from './link-report.ts';
import type { LinkTests } from './link-tests.ts';
import { ReceiptIds } from './receipt-ids.ts';
import { VendorParameters } from './vendor-parameters.ts';

const ERROR = 'err:';

/**
 * Makes the function that reads a receipt's state: by the link's table of `err:CODE=state` and `WORD=state`, in this
 * order, else by the standard. A word that neither knows is `unrecognised`. An intermediate notification is never a
 * final state.
 */
export function receiptStates(table: readonly string[]): (receipt: Receipt) => string {
  const states = new Map(
    table.map((entry) => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at).toLowerCase(), entry.slice(at + 1)];
    }),
  );
  const standard = (receipt: Receipt) => receipt.state ?? 'unrecognised';
  const own = (receipt: Receipt) =>
    (receipt.error === '' ? undefined : states.get(ERROR + receipt.error.toLowerCase())) ??
    states.get(receipt.word.toLowerCase());
  const final = states.size === 0 ? standard : (receipt: Receipt) => own(receipt) ?? standard(receipt);
  return (receipt) => (receipt.intermediate ? 'enroute' : final(receipt));
}

/** Takes over a mobile-originated message. Once it resolves, the carrier gets its answer. */
export type TakeInbound = (pdu: DeliverSm | DataSm, bringer: Bringer) => Promise<void>;

/** network_error_code of a GSM network (§5.3.2.31): its codes have their own texts. */
const GSM_NETWORK = 3;

/** Receiver of the carrier's requests on one link: receipts to match and record, and messages from phones. */
export class Inbound {
  readonly #link: Link;
  readonly #writer: OutcomeWriter;
  readonly #takeInbound: TakeInbound;
  readonly #ids: AccountIds;
  readonly receiptIds: ReceiptIds;
  readonly #stateOf: ReturnType<typeof receiptStates>;
  readonly #report: LinkReport;
  readonly #parameters: VendorParameters | undefined;
  /** Test messages, whose receipts belong to no message. */
  tests: LinkTests | undefined;
  #lastAt = 0;

  constructor(
    link: Link,
    ids: AccountIds,
    writer: OutcomeWriter,
    takeInbound: TakeInbound,
    report: LinkReport,
    onLearned: (rule: IdRule, receipts: number) => void,
  ) {
    this.#link = link;
    this.#ids = ids;
    this.#writer = writer;
    this.#takeInbound = takeInbound;
    this.#report = report;
    this.receiptIds = new ReceiptIds(link, (carrierId) => ids.recipientTail(carrierId), onLearned);
    this.#parameters = VendorParameters.of(link);
    this.#stateOf = receiptStates(link.receipt_words);
  }

  /** Notes the segment's id from its response: later receipts will find it, and earlier ones are matched now. */
  learn(carrierId: string, segment: Segment): void {
    this.#ids.add(carrierId, segment);
    for (const receipt of this.#ids.takeParked(carrierId)) this.#adopt(receipt, segment);
  }

  receive(requests: readonly ApplicationRequest[], bringer: Bringer, frames: readonly PduFrame[]): void {
    failpoint('receipts.received');
    let receipts = 0;
    for (let i = 0; i < requests.length; i++) {
      const request = requests[i]!;
      if (request.command === 'deliver_sm' || request.command === 'data_sm') {
        if (this.#message(request, bringer, frames[i]!)) receipts++;
      } else bringer.respond(request, STATUS.RINVCMDID);
    }
    if (receipts > 0) this.#report.count('receipts', receipts);
  }

  /** Answers whether it was a receipt. */
  #message(pdu: DeliverSm | DataSm, bringer: Bringer, frame: PduFrame): boolean {
    const { command, sequence } = pdu;
    const receipt = parseReceipt(pdu, this.#link.sniff_receipts);
    if (!receipt) {
      this.#takeInbound(pdu, bringer).then(
        () => bringer.respond({ command, sequence }, STATUS.ROK),
        () => bringer.respond({ command, sequence }, STATUS.RX_T_APPN),
      );
      return false;
    }
    const carrierId = this.receiptIds.keyOf(receipt.id, pdu);
    const state = this.#stateOf(receipt);
    const end = finalState(state);
    const tested = this.tests?.takeReceipt(carrierId, end && state);
    if (tested) {
      void tested.then(() => bringer.respond({ command, sequence }, STATUS.ROK));
      return true;
    }
    if (end) this.#report.minutes.add(end === 'delivered' ? 'delivered' : 'undelivered', 1);
    const entry: IncomingReceipt = {
      kind: 'receipt',
      link_id: this.#link.id,
      carrier_id: carrierId,
      state,
      error: errorOf(receipt),
      parameters: this.#parameters?.read(pdu.tlvs, false),
      frame,
      at: this.#moment(),
      segment: this.#ids.find(carrierId),
      ids: this.#ids,
      settle: (stored) => {
        bringer.respond({ command, sequence }, stored ? STATUS.ROK : STATUS.RX_T_APPN);
        if (!stored || !finalState(state)) return;
        if (entry.segment) this.#ids.forget(carrierId);
        else this.#park(entry);
      },
    };
    this.#writer.add(entry);
    return true;
  }

  /** Answers the time in milliseconds, but never the same twice, so that link, id and time identify one receipt. */
  #moment(): number {
    const now = Date.now();
    this.#lastAt = now > this.#lastAt ? now : this.#lastAt + 0.001;
    return this.#lastAt;
  }

  /** Keeps a receipt that was committed without its message; the response may have come meanwhile. */
  #park(receipt: IncomingReceipt): void {
    const segment = this.#ids.find(receipt.carrier_id);
    if (segment) this.#adopt(receipt, segment);
    else this.#ids.park(receipt);
  }

  #adopt({ link_id, carrier_id, state, error, at }: IncomingReceipt, segment: Segment): void {
    this.#writer.add({ kind: 'adoption', link_id, carrier_id, state, error, at, segment });
  }
}

/** Answers the carrier's error code; such as `gsm-27` if the phone's network gave it. */
const errorOf = ({ error, network }: Receipt): string =>
  network === GSM_NETWORK && Number(error) > 0 ? `gsm-${Number(error)}` : error;
