import type pg from 'pg';
import { makeTraffic } from '../reports/made-traffic.ts';
import type { TestApi } from '../test-api.ts';
import { storeText } from './person-stage.ts';

export const CLASSES = ['otp', 'transactional', 'bulk'] as const;
type Kind = (typeof CLASSES)[number];

/** Message that was made: its number and text are found nowhere else. */
export interface Made {
  corporation: string;
  kind: Kind;
  at: Date;
  id: number;
  msisdn: string;
  text: string;
}
/** Makes messages of corporations, by their ids. */
export function trafficOf(owner: pg.Pool, ids: ReadonlyMap<string, number>) {
  const made: Made[] = [];
  let serial = 0;

  /** Writes a chunk of a class with messages of their own texts, receipts and packs. */
  async function make(corporation: string, kind: Kind, at: Date, count = 2, settled = true) {
    const messages = Array.from({ length: count }, () => {
      const nth = String(++serial).padStart(5, '0');
      return {
        msisdn: `6391${serial % 2}5${nth}1`,
        text: `quokka-${nth} text`,
        name: `Quill ${nth}`,
        answers: [0],
        outcome: 'failed_other',
      };
    });
    const created = await makeTraffic(owner, { corporation, at, messages });
    const chunk = Math.floor(created[0]! / 1024);
    const raws = messages.map(({ msisdn, text }) => Buffer.from(`${msisdn} ${text}`));
    await owner.query('UPDATE chunk SET class = $2, common_text = $3, settled = $4 WHERE id = $1', [
      chunk,
      kind,
      `quokka-common-${chunk}`,
      settled,
    ]);
    await owner.query(
      `UPDATE outcome SET link_id = 1, carrier_id = '1', receipt_state = 'failed', receipt = $2 WHERE message_id = $1`,
      [created[0], raws[0]],
    );
    await owner.query(
      `INSERT INTO receipt_pack (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, sizes, raw)
     VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8)`,
      [
        chunk,
        ids.get(corporation),
        at.toISOString(),
        messages.map((_, i) => i).join(),
        messages.map(() => 1).join(),
        messages.map((_, i) => `c${i}`).join('\x1f'),
        raws.map((raw) => raw.length).join(),
        Buffer.concat(raws),
      ],
    );
    for (const [i, { msisdn, text }] of messages.entries())
      made.push({ corporation, kind, at, id: created[i]!, msisdn, text });
    return created;
  }
  return { made, make };
}

/** Writes what holds texts and numbers of a corporation besides messages, at a time; answers the path of the file. */
export async function keepRecords(api: TestApi, acme: number, at: string, mark: string): Promise<string> {
  const owner = api.database.pool('owner');
  const number = `63918${mark.padStart(7, '0')}`;
  const inbound = (
    await owner.query(
      `INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at)
       VALUES (1, $1, '2112', 'quokka-reply-' || $2::text, 1, 1, $3) RETURNING id`,
      [number, mark, at],
    )
  ).rows[0].id;
  await owner.query(
    `INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at, reply_message)
     VALUES ($1, 1, $2, $3, '2112', 'quokka-reply-' || $4::text, 1, 1, 'inbox', $5, 'quokka-answer-' || $4::text)`,
    [acme, inbound, number, mark, at],
  );
  await owner.query(
    `INSERT INTO conversation_entry (conversation_id, kind, text, created_at)
     SELECT id, 'note', 'quokka-note-' || $2::text, $3 FROM conversation WHERE oa = $1`,
    [number, mark, at],
  );
  const { rows } = await owner.query(
    "INSERT INTO short_link_target (corporation_id, url) VALUES ($1, 'https://shop.test/') RETURNING id",
    [acme],
  );
  for (const code of ['a', 'b']) {
    await owner.query(
      'INSERT INTO short_link (code, corporation_id, msisdn, target_id, created_at) VALUES ($1, $2, $3, $4, $5)',
      [`${code}${mark}`, acme, number, rows[0].id, at],
    );
    await owner.query('INSERT INTO short_link_click (code, corporation_id, msisdn, last_at) VALUES ($1, $2, $3, $4)', [
      `${code}${mark}`,
      acme,
      number,
      at,
    ]);
  }
  await owner.query(
    `INSERT INTO activity_log (corporation_id, name, description, subject_type, subject_id, properties, created_at)
     VALUES ($1, 'blacklist-numbers', 'created', 'blacklist-numbers', 1, jsonb_build_object('after', jsonb_build_object('number', $2::text)), $3)`,
    [acme, number, at],
  );
  await owner.query('INSERT INTO opt_out (corporation_id, number, source, opted_out_at) VALUES ($1, $2, $3, $4)', [
    acme,
    `63919${mark.padStart(7, '0')}`,
    'person',
    at,
  ]);
  const path = storeText(api, 'uploads', `number\n${number}\n`);
  await owner.query(
    `INSERT INTO upload (corporation_id, user_id, file_name, file_path, size, columns, preview, created_at)
     SELECT $1, min(id), 'people.csv', $2, 10, '[]', jsonb_build_array(jsonb_build_array($3::text)), $4 FROM user_account WHERE corporation_id = $1`,
    [acme, path, number, at],
  );
  return path;
}
