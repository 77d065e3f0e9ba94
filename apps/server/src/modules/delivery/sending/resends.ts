import { statusKind } from '@heliograph/smpp';
import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import type { Logger } from '#platform/log';
import { HAS_NO_END, IS_ANSWERED } from '../outcomes/chunk-states.ts';
import type { PostgresSession } from '../postgres-session.ts';
import { carriedBy, type Segment, WHOLE } from '../segment.ts';
import type { Link } from './link.ts';

/** Maximum age of a one-time code that is sent once more after its sender died. */
const RECENT = '10 minutes';
/** Number of newest chunks that are searched for those codes. */
const NEWEST_CHUNKS = 50_000;
/** Time in which another sender's last records and its carrier's last answers arrive. */
const GRACE_MS = 3_000;
const REFERENCES = 256;

// The permission and the place in the queue are written together. The sender that takes it from there commits before
// the bytes leave. A message answered meanwhile, or ended by a receipt, needs no other try.
const ALLOW = {
  name: 'allow-resends',
  text: `
    WITH asked AS (
      SELECT p.* FROM unnest($1::bigint[], $2::smallint[], $3::bigint[], $4::integer[], $5::smallint[])
        AS p(message_id, part, corporation_id, tries, reference)
      JOIN message m ON m.id = p.message_id LEFT JOIN chunk_state s ON s.chunk_id = m.id >> 10
      WHERE NOT ${IS_ANSWERED} AND ${HAS_NO_END}
    ), allowed AS (
      INSERT INTO resend (message_id, part, corporation_id, link_id)
      SELECT message_id, part, corporation_id, $6 FROM asked ON CONFLICT DO NOTHING RETURNING message_id, part
    )
    INSERT INTO retry (message_id, part, corporation_id, link_id, class, tries, not_before, command_status, reference)
    SELECT message_id, part, corporation_id, $6, (SELECT class FROM chunk k WHERE k.id = message_id >> 10), tries, now(), -1, reference
    FROM allowed JOIN asked USING (message_id, part) ON CONFLICT DO NOTHING`,
};

const answer = (which: 'first' | 'second') => ({
  name: `answer-${which}-try`,
  text: `
    UPDATE resend SET ${which}_status = $3, ${which}_carrier_id = $4
    WHERE message_id = $1 AND part = ANY ($2::smallint[])
    RETURNING coalesce(first_status <> 0 AND second_status <> 0, false) AS refused`,
});
const ANSWER = { first: answer('first'), second: answer('second') };

const FIND_HANDED_OVER = `
  SELECT id, cursor FROM (SELECT * FROM chunk ORDER BY id DESC LIMIT ${NEWEST_CHUNKS}) k
  WHERE link_id = $1 AND (class = 'otp' OR $2) AND cursor > 0 AND created_at > now() - interval '${RECENT}'
    AND (expires_at IS NULL OR expires_at > now())`;

const FIND_UNANSWERED = `
  SELECT m.id, m.corporation_id, m.parts, p.part
  FROM unnest($1::bigint[], $2::integer[]) AS k(id, cursor)
  JOIN message m ON m.id >= k.id << 10 AND m.id < (k.id << 10) + k.cursor
  CROSS JOIN generate_series(1, m.parts) AS p(part)
  LEFT JOIN chunk_state s ON s.chunk_id = k.id
  WHERE NOT ${IS_ANSWERED} AND ${HAS_NO_END}
    AND NOT EXISTS (SELECT FROM retry r WHERE r.message_id = m.id AND r.part = p.part)
    AND NOT EXISTS (SELECT FROM resend r WHERE r.message_id = m.id AND r.part = p.part)
  ORDER BY m.id, p.part`;

/** The carrier's answer to one of two tries. */
interface TryAnswer {
  segment: Segment;
  status: number;
  carrierId: string | null;
}

interface Unanswered {
  id: number;
  corporation_id: number;
  parts: number;
  part: number;
}

type Asked = Pick<Segment, 'part' | 'tries'> & { message: { id: number; corporation_id: number; reference: number } };

/**
 * Sender of second tries. A one-time code without an answer is sent once more, and never a third time. The carrier may
 * have taken both or either. The first acceptance counts and is charged; the message fails only when both were refused.
 */
export class Resends {
  readonly #linkId: number;
  /** True if the carrier takes a message once, however often it is handed over: then every class has a second try. */
  readonly #takesOnce: boolean;
  /** True if texts in several parts go in one PDU on this link. */
  readonly #whole: boolean;
  readonly #session: PostgresSession;
  readonly #log: Logger;
  readonly #onRefused: (segment: Segment, status: number) => void;
  /** Statements run one after another, so that an answer finds the row of its permission. */
  #work: Promise<void> = Promise.resolve();
  #recovery: NodeJS.Timeout | undefined;

  constructor(
    link: Pick<Link, 'id' | 'long_messages' | 'virtual'>,
    session: PostgresSession,
    log: Logger,
    onRefused: (segment: Segment, status: number) => void,
  ) {
    this.#linkId = link.id;
    this.#takesOnce = link.virtual;
    this.#whole = link.long_messages === 'payload';
    this.#session = session;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  /** Requests a second try of segments of class otp that lost their answer for the first time. */
  ask(segments: readonly Segment[]): void {
    for (const segment of segments) segment.asked_again = true;
    const asked = segments.flatMap(carriedBy).map(({ message, part, tries }) => ({
      message: { id: message.id, corporation_id: message.chunk.corporation_id, reference: message.reference },
      part,
      tries,
    }));
    this.#run((client) => this.#allow(client, asked));
  }

  /** Records the carrier's answer to the first or the second try of one segment. */
  answered(which: keyof typeof ANSWER, given: TryAnswer): void {
    this.#run(async (client) => {
      const { segment, status, carrierId } = given;
      const parts = carriedBy(segment).map(({ part }) => part);
      const { rows } = await client.query<{ refused: boolean }>({
        ...ANSWER[which],
        values: [segment.message.id, parts, status | 0, carrierId],
      });
      // Without a row there was no second try, and a refusal is the end.
      const refused = rows[0] ? rows[0].refused : statusKind(status) === 'refuse';
      if (refused) this.#onRefused(segment, status);
    });
  }

  /**
   * Notes the messages that earlier senders of the link handed over, before this one begins. A moment later, those
   * without an answer are sent once more. Never rejects.
   */
  async recover(): Promise<void> {
    try {
      const client = await this.#session.client();
      const { rows } = await client.query<{ id: number; cursor: number }>(FIND_HANDED_OVER, [
        this.#linkId,
        this.#takesOnce,
      ]);
      if (rows.length === 0) return;
      this.#recovery = setTimeout(() => this.#run((session) => this.#resendOf(session, rows)), GRACE_MS);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not find unanswered otp messages of an earlier sender');
    }
  }

  async #resendOf(client: pg.Client, chunks: readonly { id: number; cursor: number }[]): Promise<void> {
    const { rows } = await client.query<Unanswered>(FIND_UNANSWERED, [
      numberArray(chunks.map(({ id }) => id)),
      numberArray(chunks.map(({ cursor }) => cursor)),
    ]);
    if (rows.length === 0) return;
    this.#log.warn({ segments: rows.length }, 'messages of an earlier sender without an answer; sent once more');
    // The earlier reference of the parts is unknown; parts that leave again share a new one.
    const asked = rows.map(({ id, corporation_id, parts, part }) => ({
      message: { id, corporation_id, reference: this.#whole && parts > 1 ? WHOLE : id % REFERENCES },
      part,
      tries: 0,
    }));
    await this.#allow(client, asked);
  }

  async #allow(client: pg.Client, asked: readonly Asked[]): Promise<void> {
    await client.query({
      ...ALLOW,
      values: [
        numberArray(asked.map(({ message }) => message.id)),
        numberArray(asked.map(({ part }) => part)),
        numberArray(asked.map(({ message }) => message.corporation_id)),
        numberArray(asked.map(({ tries }) => tries)),
        numberArray(asked.map(({ message }) => message.reference)),
        this.#linkId,
      ],
    });
  }

  #run(work: (client: pg.Client) => Promise<void>): void {
    this.#work = this.#work.then(async () => {
      try {
        await work(await this.#session.client());
      } catch (error) {
        // Without the row there is no second try: the message stays as uncertain as one of any other class.
        this.#log.warn({ err: error }, 'could not record second attempt of otp message');
      }
    });
  }

  /** Resolves when all requests and answers are recorded, or given up. */
  async stop(): Promise<void> {
    clearTimeout(this.#recovery);
    await this.#work;
  }
}
