import type pg from 'pg';

/** One message of a generated chunk, with its outcome. */
export interface MadeMessage {
  msisdn?: string;
  name?: string | null;
  text?: string | null;
  parts?: number;
  /** The command_status of each part that has an answer. */
  answers?: number[];
  outcome?: string;
}

/** Place and time of a chunk, and the values that its messages share. */
export interface MadeChunk {
  corporation: string;
  at: Date;
  messages: MadeMessage[];
  unit_price?: number;
  charge_on_delivery?: boolean;
  cursor?: number;
  state?: string;
  campaign_id?: number | null;
  user?: string | null;
}

/**
 * Writes a chunk with its messages, submissions and outcomes as the sender leaves them; returns the ids of the
 * messages.
 */
export async function makeTraffic(owner: pg.Pool, made: MadeChunk): Promise<number[]> {
  const { at, messages, unit_price = 350, charge_on_delivery = false, state = 'done', campaign_id = null } = made;
  const day = Math.floor(at.getTime() / 86_400_000);
  await owner.query('SELECT ensure_partitions($1::date, $1::date)', [at.toISOString().slice(0, 10)]);
  const { rows } = await owner.query<{ id: number; corporation_id: number }>(
    `INSERT INTO chunk (id, corporation_id, department_id, user_id, billing_account_id, campaign_id, link_id, class,
       sender_id, charge_on_delivery, common_text, size, cursor, state, created_at)
     SELECT ($2::bigint << 28) | nextval('chunk_sequence'), c.id,
       (SELECT min(id) FROM department WHERE corporation_id = c.id), (SELECT id FROM user_account WHERE email = $9),
       (SELECT min(id) FROM billing_account WHERE corporation_id = c.id), $3, (SELECT min(id) FROM link), 'bulk',
       'MADE', $4, 'The common text', $5, $6, $7, $8
     FROM corporation c WHERE c.name = $1 RETURNING id, corporation_id`,
    [
      made.corporation,
      day,
      campaign_id,
      charge_on_delivery,
      messages.length,
      made.cursor ?? messages.length,
      state,
      at.toISOString(),
      made.user ?? null,
    ],
  );
  const { id: chunk, corporation_id } = rows[0]!;
  const ids = messages.map((_, place) => chunk * 1024 + place);
  for (const [place, m] of messages.entries()) {
    const id = ids[place]!;
    await owner.query(
      `INSERT INTO message (id, corporation_id, campaign_id, unit_price, parts, unicode, msisdn, name, text)
       VALUES ($1, $2, $3, $4, $5, false, $6, $7, $8)`,
      [id, corporation_id, campaign_id, unit_price, m.parts ?? 1, m.msisdn ?? '639990000001', m.name, m.text],
    );
    for (const [i, status] of (m.answers ?? []).entries())
      await owner.query(
        `INSERT INTO submission (message_id, part, corporation_id, link_id, carrier_id, command_status, answered_at)
         VALUES ($1, $2, $3, (SELECT min(id) FROM link), $4, $5, $6)`,
        [id, i + 1, corporation_id, `c${id}-${i}`, status, at.toISOString()],
      );
    if (m.outcome)
      await owner.query(
        'INSERT INTO outcome (message_id, corporation_id, campaign_id, state, done_at) VALUES ($1, $2, $3, $4, $5)',
        [id, corporation_id, campaign_id, m.outcome, at.toISOString()],
      );
  }
  await owner.query('SELECT write_chunk_states(ARRAY[$1::bigint])', [chunk]);
  return ids;
}
