import type { TestContext } from 'node:test';
import { until } from '@heliograph/fault-kit';
import {
  type DeliverSm,
  encodeShortMessage,
  type MessageFields,
  type Outcome,
  openSession,
  parseReceipt,
  type Receipt,
  type Session,
  STATUS,
} from '@heliograph/smpp';
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/index.ts';

interface Link {
  simulator: Simulator;
  session: Session<string>;
  outcomes: Outcome<string>[];
  /** Receipts and outcomes in the order they came. */
  events: string[];
  receipts: Receipt[];
  replies: DeliverSm[];
}

/** Starts a simulator, and binds a session to it; both end with the test. */
export async function link(
  t: TestContext,
  options: SimulatorOptions = {},
  answerStatus: () => number = () => STATUS.ROK,
  responseMs = 60_000,
): Promise<Link> {
  const simulator = await startSimulator({
    smppPort: 0,
    httpPort: 0,
    ...options,
    settings: { receipt_delay_ms: 30, late_receipt_ms: 300, late_response_ms: 200, ...options.settings },
  });
  const made = { simulator, outcomes: [], events: [], receipts: [], replies: [] } as unknown as Link;
  made.session = openSession<string>(
    {
      host: '127.0.0.1',
      port: simulator.smppPort,
      bind: { mode: 'transceiver', system_id: 'esme', password: 'secret' },
      responseMs,
      window: 1_000,
    },
    {
      onResponses: (batch) => {
        made.outcomes.push(...batch);
        for (const o of batch) made.events.push(`${o.kind} ${o.context} ${o.message_id}`);
      },
      onRequests: (requests, session) => {
        for (const request of requests as DeliverSm[]) {
          const receipt = parseReceipt(request);
          if (receipt) {
            made.receipts.push(receipt);
            made.events.push(`receipt ${request.source_addr} ${receipt.id}`);
          } else made.replies.push(request);
          session.respond(request, answerStatus());
        }
      },
    },
  );
  t.after(async () => {
    made.session.destroy();
    await simulator.stop();
  });
  await until('the bind', () => made.session.state === 'bound');
  return made;
}

export const message = (to: string, text = 'hello'): MessageFields => ({
  source_addr: 'ACME',
  source_addr_ton: 5,
  destination_addr: to,
  registered_delivery: 1,
  short_message: encodeShortMessage(text, 'gsm'),
});
