import type { Concatenation, ConcatenationKind } from '@heliograph/smpp';
import type pg from 'pg';
import { inTransaction } from '#platform/database/in-transaction';
import { failpoint } from '#platform/failpoints';
import type { MessageIds } from './message-ids.ts';
import type { Content, Envelope } from './read-submit.ts';
import type { SystemId } from './system-id-rows.ts';

/** Maximum parts that one transaction stores. */
const BATCH = 500;
/** Seconds in which the process with the last part may begin to hand in the whole. The sweep begins afterwards. */
export const HAND_IN_SECONDS = 15;

/** A part of a long message, as received. */
export interface IncomingPart {
  systemId: SystemId;
  recipient: string;
  envelope: Envelope;
  content: Content;
  kind: ConcatenationKind;
  part: Concatenation;
}

/** All parts of a long message, in their order, with the id in the program's responses. */
export interface WholeMessage {
  id: number;
  recipient: string;
  envelope: Envelope;
  parts: Content[];
}

/** Result of keeping a part: the id of the answer, and the whole if it was the last missing part. */
export interface KeptPart {
  id: number;
  whole: WholeMessage | undefined;
  /** Time until which the whole may be handed in (performance.now()); afterwards only the sweep may. */
  handInBefore: number;
}

interface Waiting {
  incoming: IncomingPart;
  key: string;
  resolve(kept: KeptPart): void;
  reject(error: unknown): void;
}

const keyOf = ({ recipient, envelope, kind, part }: IncomingPart): string =>
  JSON.stringify([kind, part.ref, part.total, envelope.from, recipient]);

const OPEN = `
  INSERT INTO smpp_long_message AS l (id, corporation_id, smpp_system_id_id, key, total, recipient, envelope)
  SELECT * FROM jsonb_to_recordset($1)
    AS n(id bigint, corporation_id bigint, smpp_system_id_id bigint, key text, total smallint, recipient text, envelope jsonb)
  ORDER BY smpp_system_id_id, key
  ON CONFLICT (smpp_system_id_id, key) DO UPDATE SET total = l.total
  RETURNING id, smpp_system_id_id, key, total, recipient, envelope`;
const KEEP = `
  INSERT INTO smpp_part (smpp_long_message_id, corporation_id, number, body, data_coding, udh_octets, registered_delivery)
  SELECT id, corporation_id, number, decode(body, 'hex'), data_coding, udh_octets, registered_delivery
  FROM jsonb_to_recordset($1) AS n(id bigint, corporation_id bigint, number smallint, body text, data_coding smallint,
    udh_octets smallint, registered_delivery smallint)
  ON CONFLICT DO NOTHING`;
const READ = `
  SELECT smpp_long_message_id AS id, number, body, data_coding, udh_octets, registered_delivery FROM smpp_part
  WHERE smpp_long_message_id = ANY ($1) ORDER BY smpp_long_message_id, number`;
// The time to hand it in counts from when it is complete.
const CLOSE = `
  UPDATE smpp_long_message SET key = NULL, received_at = CASE WHEN id = ANY ($2) THEN now() ELSE received_at END
  WHERE id = ANY ($1)`;

interface OpenRow {
  id: number;
  smpp_system_id_id: number;
  key: string;
  total: number;
  recipient: string;
  envelope: Envelope;
}
export interface PartRow {
  id: number;
  number: number;
  body: Buffer;
  data_coding: number;
  udh_octets: number;
  registered_delivery: number;
}

/** Joins all parts into a message. A receipt is sent if any part requested one. */
export function wholeOf(
  { id, recipient, envelope }: Pick<OpenRow, 'id' | 'recipient' | 'envelope'>,
  rows: readonly PartRow[],
): WholeMessage {
  const registered_delivery = rows.reduce((asked, row) => asked | row.registered_delivery, 0);
  const parts = rows.map(({ body, data_coding, udh_octets }) => ({ body, data_coding, udh_octets }));
  return { id, recipient, envelope: { ...envelope, registered_delivery }, parts };
}

/**
 * Keeps parts of long messages until the last one has come. A part is committed before it is answered, and all parts of
 * a message get the same id. They may come in any order, over any binds of their system id, to any process.
 */
export class LongMessages {
  readonly #pool: pg.Pool;
  readonly #ids: MessageIds;
  #waiting: Waiting[] = [];
  #working = false;

  constructor(pool: pg.Pool, ids: MessageIds) {
    this.#pool = pool;
    this.#ids = ids;
  }

  /** Keeps a part; resolves once it is committed. */
  keep(incoming: IncomingPart): Promise<KeptPart> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ incoming, key: keyOf(incoming), resolve, reject });
      void this.#work();
    });
  }

  /** Stores all waiting parts in one transaction, and repeats until none waits. */
  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    // Parts from the same read of the socket go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await this.#commit(batch);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#working = false;
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    // Taken before the transaction's now() in the database, from which the sweep counts.
    const handInBefore = performance.now() + HAND_IN_SECONDS * 1_000;
    const byKey = Map.groupBy(batch, ({ incoming, key }) => `${incoming.systemId.id} ${key}`);
    const ids = await this.#ids.take(byKey.size);
    const wanted = [...byKey.values()].map(([first], index) => ({
      id: ids[index],
      corporation_id: first!.incoming.systemId.corporation_id,
      smpp_system_id_id: first!.incoming.systemId.id,
      key: first!.key,
      total: first!.incoming.part.total,
      recipient: first!.incoming.recipient,
      envelope: first!.incoming.envelope,
    }));
    const { messages, parts, whole, restarted } = await inTransaction(this.#pool, async (client) => {
      const { rows: open } = await client.query<OpenRow>(OPEN, [JSON.stringify(wanted)]);
      const messages = new Map(open.map((row) => [`${row.smpp_system_id_id} ${row.key}`, row]));
      await client.query(KEEP, [JSON.stringify(batch.map((each) => this.#partRow(each, messages)))]);
      const { rows } = await client.query<PartRow>(READ, [open.map(({ id }) => id)]);
      const parts = Map.groupBy(rows, ({ id }) => id);
      const restarted = this.#restarted(batch, messages, parts);
      const whole = open.filter(({ id, total }) => parts.get(id)!.length === total);
      const closed = [...new Set([...whole, ...restarted.map((each) => this.#messageOf(each, messages))])];
      if (closed.length > 0) await client.query(CLOSE, [closed.map(({ id }) => id), whole.map(({ id }) => id)]);
      failpoint('parts.before-commit');
      return { messages, parts, whole, restarted };
    });
    failpoint('parts.after-commit');
    this.#waiting.unshift(...restarted);
    this.#answer(batch, messages, parts, { whole: new Set(whole), restarted: new Set(restarted), handInBefore });
  }

  #messageOf({ incoming, key }: Waiting, messages: ReadonlyMap<string, OpenRow>): OpenRow {
    return messages.get(`${incoming.systemId.id} ${key}`)!;
  }

  #partRow(each: Waiting, messages: ReadonlyMap<string, OpenRow>) {
    const { systemId, part, content, envelope } = each.incoming;
    return {
      id: this.#messageOf(each, messages).id,
      corporation_id: systemId.corporation_id,
      number: part.number,
      body: Buffer.from(content.body).toString('hex'),
      data_coding: content.data_coding,
      udh_octets: content.udh_octets,
      registered_delivery: envelope.registered_delivery,
    };
  }

  /**
   * Finds parts for which another text is stored: their program uses the reference again, and the earlier message stays
   * incomplete.
   */
  #restarted(
    batch: readonly Waiting[],
    messages: ReadonlyMap<string, OpenRow>,
    parts: ReadonlyMap<number, PartRow[]>,
  ): Waiting[] {
    return batch.filter((each) => {
      const { part, content } = each.incoming;
      const stored = parts.get(this.#messageOf(each, messages).id)!.find(({ number }) => number === part.number)!;
      return Buffer.compare(stored.body, content.body) !== 0;
    });
  }

  #answer(
    batch: readonly Waiting[],
    messages: ReadonlyMap<string, OpenRow>,
    parts: ReadonlyMap<number, PartRow[]>,
    done: { whole: ReadonlySet<OpenRow>; restarted: ReadonlySet<Waiting>; handInBefore: number },
  ): void {
    const { whole, restarted, handInBefore } = done;
    const kept = batch.filter((each) => !restarted.has(each));
    const last = new Map(kept.map((each) => [this.#messageOf(each, messages), each]));
    for (const each of kept) {
      const message = this.#messageOf(each, messages);
      const completes = whole.has(message) && last.get(message) === each;
      const all = completes ? wholeOf(message, parts.get(message.id)!) : undefined;
      each.resolve({ id: message.id, whole: all, handInBefore });
    }
  }
}
