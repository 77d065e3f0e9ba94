import type pg from 'pg';

/** Columns with the number of a recipient or replier, by table. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ['message', 'msisdn'],
  ['number_list_number', 'number'],
  ['opt_out', 'number'],
  ['blacklist_number', 'number'],
  ['consent_event', 'number'],
  ['contact', 'number'],
];

/** Texts and documents that hold such a number. */
const TEXTS: readonly string[] = [
  `UPDATE message SET text = 'Dear ' || msisdn`,
  `UPDATE inbox_message SET message = 'Call ' || oa, reply_message = 'We call ' || oa`,
  `UPDATE opt_out SET message = 'STOP ' || number, note = 'Asked by +' || number`,
  `UPDATE consent_event SET proof = 'Form of ' || number, wording = 'Agreed by ' || number`,
  `INSERT INTO contact_field (corporation_id, name, key, type, slot) SELECT id, 'Number', 'phone', 'text', 'text_20' FROM corporation`,
  `UPDATE contact SET name = 'Ana ' || number, tags = ARRAY['Tag ' || number], text_20 = number`,
  `UPDATE number_list_number SET name = 'Ana ' || number, param1 = number`,
  `UPDATE quote SET samples = '[{"number": "639800000002", "text": "To 639800000002", "parts": 1}]'`,
  `UPDATE http_delivery SET body = '{"data":{"to":"639800000003"}}' WHERE body IS NOT NULL`,
  `INSERT INTO application_log (logged_at, level, source, message, details)
   VALUES (now(), 'info', 'api', 'number 639800000004', '{"number": "639800000004"}')`,
];

/** Pattern of the numbers of people in this world; nothing else in it looks like one. */
export const PERSONS = /6398\d{8}/;

/** Gives every recipient and replier of the world a number of their own. */
export async function spreadNumbers(owner: pg.Pool): Promise<void> {
  const client = await owner.connect();
  try {
    for (const [place, [table, column]] of COLUMNS.entries()) {
      await client.query(`CREATE SEQUENCE IF NOT EXISTS spread_${table}`);
      await client.query(
        `UPDATE ${table} SET ${column} = '6398${place}' || lpad(nextval('spread_${table}')::text, 7, '0')`,
      );
    }
    // A conversation is found by the number of its messages.
    await client.query(`CREATE TABLE spread_phone AS
      SELECT oa, '63989' || lpad(row_number() OVER ()::text, 7, '0') AS number
      FROM (SELECT oa FROM inbox_message UNION SELECT oa FROM conversation) o`);
    for (const table of ['inbox_message', 'conversation'])
      await client.query(`UPDATE ${table} t SET oa = p.number FROM spread_phone p WHERE p.oa = t.oa`);
    for (const text of TEXTS) await client.query(text);
    await client.query(`INSERT INTO activity_log (name, description, subject_type, subject_id, corporation_id, causer_type, properties)
      SELECT 'blacklist-numbers', 'created', 'blacklist-numbers', id, corporation_id, 'users',
        jsonb_build_object('before', NULL, 'after', jsonb_build_object('number', number, 'channel', 'all')) FROM blacklist_number`);
  } finally {
    client.release();
  }
}
