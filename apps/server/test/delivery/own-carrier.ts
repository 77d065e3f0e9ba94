import {
  type ApplicationRequest,
  buildReceipt,
  type MessageFields,
  type MessageState,
  type Session,
  STATUS,
  type SubmitSm,
  startServer,
} from '@heliograph/smpp';
import type { Stage } from './stage.ts';

/** A submit_sm as the carrier received it. */
export interface Submitted {
  /** From 1, in the order of arrival. */
  number: number;
  pdu: SubmitSm;
  session: Session<MessageFields>;
  at: number;
}

export interface ReceiptOptions {
  state?: MessageState;
  error?: string;
  text?: string;
  /** No reference is sent if false. */
  withReference?: boolean;
  command?: 'deliver_sm' | 'data_sm';
  /** Session to send it on; the submit's own by default. */
  session?: Session<MessageFields>;
}

/** A carrier whose answers a test decides one by one. */
export interface OwnCarrier {
  port: number;
  submits: Submitted[];
  /** Bound sessions in the order of their binds. */
  sessions: Session<MessageFields>[];
  /** Values of command_status in the answers to delivered messages and receipts. */
  answers: number[];
  accept(submit: Submitted, id?: string): void;
  refuse(submit: Submitted, status: number): void;
  /** Refuses by generic_nack, as some carriers do. */
  nack(submit: Submitted, status: number): void;
  receipt(submit: Submitted, id: string, options?: ReceiptOptions): void;
  deliver(fields: MessageFields, session?: Session<MessageFields>): void;
}

/** Delay before the carrier sends a refused message again. */
const AGAIN_MS = 50;

/** Starts a carrier on a free port. `onSubmit` decides how each segment is answered. */
export async function ownCarrier(
  s: Stage,
  onSubmit: (submit: Submitted, carrier: OwnCarrier) => void,
): Promise<OwnCarrier> {
  const server = await startServer<MessageFields>(
    { port: 0, window: 5_000, maxUnanswered: 100_000 },
    {
      onBind: (_bind, session) => session.acceptBind('own'),
      onBound: (session) => void carrier.sessions.push(session),
      onClose: (_closing, session) => {
        carrier.sessions = carrier.sessions.filter((each) => each !== session);
      },
      onRequests: (requests, session) => {
        for (const request of requests) take(request, session);
      },
      onResponses: (outcomes) => {
        for (const { kind, status, context } of outcomes) {
          if (kind === 'answered') carrier.answers.push(status);
          // Sends a refused message again, as a carrier does.
          if (status !== STATUS.ROK) bringAgain(context);
        }
      },
    },
  );
  const take = (request: ApplicationRequest, session: Session<MessageFields>) => {
    if (request.command !== 'submit_sm') {
      session.respond(request, STATUS.RINVCMDID);
      return;
    }
    // The octets are views into a buffer that the next read reuses.
    const pdu = { ...request, short_message: Buffer.from(request.short_message) };
    const submit = { number: carrier.submits.length + 1, pdu, session, at: Date.now() };
    carrier.submits.push(submit);
    onSubmit(submit, carrier);
  };
  const timers = new Set<NodeJS.Timeout>();
  let closed = false;
  const bringAgain = (fields: MessageFields) => {
    // A timer set after the end of the test would keep its process alive forever.
    if (closed) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      carrier.deliver(fields);
    }, AGAIN_MS);
    timers.add(timer);
  };
  const carrier: OwnCarrier = {
    port: server.port,
    submits: [],
    sessions: [],
    answers: [],
    accept: ({ number, pdu, session }, id = String(number)) => session.respond(pdu, STATUS.ROK, id),
    refuse: ({ pdu, session }, status) => session.respond(pdu, status),
    nack: ({ pdu: { sequence }, session }, status) =>
      session.respondWith({ command: 'generic_nack', sequence, status }),
    receipt: (submit, id, options = {}) => {
      const { state = 'delivered', error = '000', text = '', withReference = true, command = 'deliver_sm' } = options;
      const session = options.session ?? submit.session;
      const built = buildReceipt({
        id,
        state,
        error,
        text,
        submitted: submit.at,
        done: Date.now(),
        style: id === '' ? 'text' : 'both',
      });
      const reference = withReference ? submit.pdu.tlvs?.user_message_reference : undefined;
      const tlvs = { ...built.tlvs, ...(reference !== undefined && { user_message_reference: reference }) };
      const addresses = { source_addr: submit.pdu.destination_addr, destination_addr: submit.pdu.source_addr };
      const { esm_class, short_message } = built;
      if (command === 'data_sm') {
        const data = { ...addresses, esm_class, tlvs: { ...tlvs, message_payload: short_message } };
        if (!session.request({ command, ...data }, data)) bringAgain(data);
      } else carrier.deliver({ ...addresses, esm_class, short_message, tlvs }, session);
    },
    deliver: (fields, session = carrier.sessions[0]) => {
      if (!session?.deliver(fields, fields)) bringAgain(fields);
    },
  };
  s.closing.push(async () => {
    closed = true;
    for (const timer of timers) clearTimeout(timer);
    for (const session of server.sessions) session.destroy();
    await server.stop();
  });
  return carrier;
}
