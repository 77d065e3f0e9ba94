import { buildReceipt, type Session, type SessionHandler, STATUS, startServer } from '../../packages/smpp/src/index.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

// A carrier that takes every message and holds all receipts back until the command `flood`. Then they come one after
// another, in the order of their messages, as fast as they are acknowledged, until `hold`. Refused receipts are sent
// again at the end.

const FIRST_ID = Date.now() * 1_000;
const counts = { submits: 0, sent: 0, acknowledged: 0, refused: 0 };
const sessions = new Set<Session<number>>();
const again: number[] = [];
let flooding = false;

/** Sends the next receipt; returns false if there is no room, or nothing left to send. */
function sendNext(session: Session<number>): boolean {
  const index = again.length > 0 ? again[0]! : counts.sent;
  if (index >= counts.submits) return false;
  const now = Date.now();
  const receipt = buildReceipt({ id: String(FIRST_ID + index), state: 'delivered', submitted: now, done: now });
  const fields = {
    source_addr_ton: 1,
    source_addr_npi: 1,
    source_addr: `63917${String(1_000_000 + index).slice(-7)}`,
    dest_addr_ton: 5,
    destination_addr: 'Bench',
    ...receipt,
  };
  if (!session.deliver(fields, index)) return false;
  if (again.length > 0) again.shift();
  else counts.sent++;
  return true;
}

function pump(): void {
  if (!flooding) return;
  for (const session of sessions) while (session.state === 'bound' && session.free > 0 && sendNext(session));
}

const handler: SessionHandler<number> = {
  onBind: (_bind, session) => session.acceptBind('holding'),
  onBound: (session) => void sessions.add(session),
  onClose: (_closing, session) => void sessions.delete(session),
  onReady: pump,
  onRequests(requests, session) {
    for (const request of requests) {
      if (request.command === 'submit_sm') session.respond(request, STATUS.ROK, String(FIRST_ID + counts.submits++));
      else session.respond(request, STATUS.RINVCMDID);
    }
  },
  onResponses(outcomes) {
    for (const { status, context } of outcomes) {
      if (status === STATUS.ROK) counts.acknowledged++;
      else {
        counts.refused++;
        again.push(context);
      }
    }
    pump();
  },
};

const server = await startServer<number>({ port: 0, window: 2_000, maxUnanswered: 100_000 }, handler);
answerQuestions(
  (question) => {
    if (question === 'flood') {
      flooding = true;
      pump();
    }
    if (question === 'hold') flooding = false;
    return { ...counts, binds: sessions.size, cpu: cpuSeconds() };
  },
  () => server.stop(),
);
process.send?.({ port: server.port });
