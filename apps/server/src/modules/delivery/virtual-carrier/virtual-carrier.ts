import { type Ending, type EndingReceipt, endingOf, SOON_SECONDS } from '@heliograph/contract/sandbox/endings';
import { buildReceipt, encodePdu } from '@heliograph/smpp';
import { referenceOf } from '../http-links/reference.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { Segment } from '../segment.ts';
import { messageReference } from '../sending/message-reference.ts';

const SECOND = 1_000;
/** Network type of network_error_code (SMPP 3.4 §5.3.2.31). */
const GSM = 3;
/** Validity of a message without one. */
const DAY_MS = 86_400_000;
/** Maximum receipts and answers of phones that are taken together. */
const PAGE = 500;

// A part that is there already was handed over before: nothing follows from it again.
const TAKE = {
  name: 'take-virtual-parts',
  text: `
    WITH stored AS (
      INSERT INTO sandbox_part (message_id, part, corporation_id, number)
      SELECT message_id, part, corporation_id, number
      FROM jsonb_to_recordset($1::jsonb) AS p(message_id bigint, part smallint, corporation_id bigint, number text)
      ON CONFLICT DO NOTHING RETURNING message_id, part, corporation_id
    )
    INSERT INTO sandbox_due (corporation_id, message_id, due_at, pdu, reply)
    SELECT s.corporation_id, message_id, to_timestamp(d.due_at / 1000), decode(d.pdu, 'base64'), d.reply
    FROM jsonb_to_recordset($2::jsonb) AS d(message_id bigint, part smallint, due_at float8, pdu text, reply text)
    JOIN stored s USING (message_id, part)`,
};

// Receipts go where those of carriers over HTTP wait until they are recorded. Texts of handsets become events immediately.
const RELEASE = {
  name: 'release-virtual-receipts',
  text: `
    WITH due AS (
      DELETE FROM sandbox_due WHERE id IN (
        SELECT id FROM sandbox_due WHERE due_at <= now() ORDER BY due_at LIMIT ${PAGE} FOR UPDATE SKIP LOCKED)
      RETURNING id, message_id, due_at, pdu, reply
    ), receipts AS (
      INSERT INTO carrier_callback (link_id, pdu) SELECT $1, pdu FROM due WHERE pdu IS NOT NULL ORDER BY due_at, id
      RETURNING 1
    ), replies AS (
      INSERT INTO sandbox_reply (corporation_id, department_id, user_id, number, recipient, text)
      SELECT k.corporation_id, k.department_id, k.user_id, m.msisdn, k.sender_id, d.reply
      FROM due d JOIN message m ON m.id = d.message_id JOIN chunk k ON k.id = d.message_id >> 10
      WHERE d.reply IS NOT NULL ORDER BY d.due_at, d.id RETURNING id, corporation_id, department_id, user_id
    ), told AS (
      INSERT INTO event (corporation_id, department_id, user_id, type, data)
      SELECT corporation_id, department_id, user_id, 'message.received', jsonb_build_object('inbox_message_id', id) FROM replies
    )
    SELECT (SELECT count(*) FROM due)::int AS released`,
};

/** ID that the virtual carrier gives to a part. A part that is handed over again gets the same one. */
export const virtualId = ({ message, part }: Segment): string => referenceOf(message.id, part);

/** The carrier behind the link of the sandbox: a table of what its handsets received, and what follows from it. */
export class VirtualCarrier {
  readonly #linkId: number;
  readonly #session: PostgresSession;

  constructor(linkId: number, session: PostgresSession) {
    this.#linkId = linkId;
    this.#session = session;
  }

  /**
   * Takes parts once, however often they are handed over, with their receipts and the answers of their phones. `now` is in
   * epoch milliseconds. Rejects if it is unknown whether they are taken.
   */
  async take(segments: readonly Segment[], now: number): Promise<void> {
    const parts = segments.map(({ message: { id, msisdn, chunk }, part }) => ({
      message_id: id,
      part,
      corporation_id: chunk.corporation_id,
      number: msisdn,
    }));
    const client = await this.#session.client();
    await client.query({
      ...TAKE,
      values: [JSON.stringify(parts), JSON.stringify(segments.flatMap((segment) => duesOf(segment, now)))],
    });
  }

  /** Passes on what is due, and answers whether more may be. */
  async release(): Promise<boolean> {
    const client = await this.#session.client();
    const { rows } = await client.query<{ released: number }>({ ...RELEASE, values: [this.#linkId] });
    return rows[0]!.released === PAGE;
  }
}

function duesOf(segment: Segment, now: number) {
  const { message, part } = segment;
  const ending: Ending = endingOf(message.msisdn);
  const at = { message_id: message.id, part };
  const receipts = ending.receipts.map((receipt) => {
    const due_at =
      receipt.after === 'validity' ? (message.chunk.expires_at ?? now + DAY_MS) : now + receipt.after * SECOND;
    return { ...at, due_at, pdu: receiptOf(segment, receipt, { submitted: now, done: due_at }).toString('base64') };
  });
  // The phone answers the whole message, after its last part.
  const answers = ending.reply !== undefined && part === message.parts;
  return [...receipts, ...(answers ? [{ ...at, due_at: now + 2 * SOON_SECONDS * SECOND, reply: ending.reply }] : [])];
}

function receiptOf(
  segment: Segment,
  { state, gsm }: EndingReceipt,
  { submitted, done }: { submitted: number; done: number },
): Buffer {
  const { message, part } = segment;
  const network = gsm === undefined ? undefined : { type: GSM, code: gsm };
  const { tlvs, ...fields } = buildReceipt({ id: virtualId(segment), state, submitted, done, network });
  return Buffer.from(
    encodePdu({
      command: 'deliver_sm',
      sequence: 1,
      source_addr: message.msisdn,
      ...fields,
      tlvs: { ...tlvs, user_message_reference: messageReference(message.id, part) },
    }),
  );
}
