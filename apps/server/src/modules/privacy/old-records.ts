import type { KeptField } from '@heliograph/contract/privacy/retention-rule';

/** Change of old records of a corporation that hold texts or numbers besides the messages themselves. */
interface OldRecords {
  field: KeptField;
  table: string;
  /** Statement that changes at most `$3` records of the corporation `$1` from before the UTC day `$2`, and counts them. */
  change: string;
  /** True if the records keep the time `$4` and the days of the rule `$5`, for people to read. */
  told?: true;
}

/** Condition that the record `t` is from before the first day that is kept. */
const before = (time: string) => `${time} < ($2::date::timestamp AT TIME ZONE 'UTC')`;

/** Columns that say when and why a text was removed. */
const TOLD = 'removed_at = $4::timestamptz, removed_days = $5::integer';

/** Condition that a campaign `t` has ended, and that its age counts from its end. */
const ENDED = `t.state IN ('completed', 'stopped', 'failed', 'discarded', 'rejected') AND ${before('coalesce(t.finished_at, t.created_at)')}`;
/** Condition that a quote `t` is not needed: no campaign that has not ended came from it, and no test that goes on has it. */
const UNUSED = `t.state <> 'counting' AND ${before('t.created_at')} AND NOT EXISTS (SELECT FROM campaign c WHERE c.quote_id = t.id
  AND c.state NOT IN ('completed', 'stopped', 'failed', 'discarded', 'rejected'))
  AND NOT EXISTS (SELECT FROM campaign_series s WHERE s.next_quote_id = t.id)
  AND NOT EXISTS (SELECT FROM campaign_test x JOIN campaign_test_variant v ON v.test_id = x.id WHERE x.corporation_id = t.corporation_id
    AND x.state NOT IN ('finished', 'stopped') AND t.id IN (v.sample_quote_id, v.rest_quote_id, x.rest_quote_id))`;

/** Returns the statement that sets columns of rows of a table with an `id`. */
const setting = (table: string, set: string, where: string) => `
  WITH changed AS (UPDATE ${table} SET ${set} WHERE id IN (SELECT t.id FROM ${table} t WHERE t.corporation_id = $1
    AND ${where} ORDER BY t.id LIMIT $3) RETURNING 1) SELECT count(*) FROM changed`;

const SAMPLES = `samples = '[]', details = CASE WHEN details ? 'dearest' THEN jsonb_set(details, '{dearest}', '[]') ELSE details END`;
const HAS_SAMPLES = `(t.samples <> '[]' OR t.details -> 'dearest' <> '[]')`;

const PASTED = `jsonb_set(jsonb_set(content, '{custom_numbers}', '""'), '{blacklist_numbers}', '""')`;
const HAS_PASTED = `(t.content ->> 'custom_numbers' <> '' OR t.content ->> 'blacklist_numbers' <> '')`;
const NO_TEXT = `jsonb_set(content - 'values_sealed' - 'language_texts', '{content}', '"[removed]"')`;
const HAS_TEXT = `t.content ->> 'content' NOT IN ('', '[removed]')`;

/** Records in the order in which they are changed. Campaigns are of the class bulk. */
export const OLD_RECORDS: readonly OldRecords[] = [
  {
    field: 'bulk_days',
    table: 'campaign',
    change: setting('campaign', `content = ${NO_TEXT}`, `${HAS_TEXT} AND ${ENDED}`),
  },
  {
    field: 'bulk_days',
    table: 'quote',
    change: setting('quote', `content = ${NO_TEXT}, ${SAMPLES}`, `(${HAS_TEXT} OR ${HAS_SAMPLES}) AND ${UNUSED}`),
  },
  {
    field: 'bulk_days',
    table: 'moderation_item',
    change: setting(
      'moderation_item',
      "samples = '{}'",
      `t.campaign_id IS NOT NULL AND t.samples <> '{}' AND ${before('t.created_at')}`,
    ),
  },
  {
    field: 'number_days',
    table: 'campaign',
    change: setting('campaign', `content = ${PASTED}`, `${HAS_PASTED} AND ${ENDED}`),
  },
  {
    field: 'number_days',
    table: 'quote',
    change: setting('quote', `content = ${PASTED}, ${SAMPLES}`, `(${HAS_PASTED} OR ${HAS_SAMPLES}) AND ${UNUSED}`),
  },
  {
    field: 'number_days',
    table: 'conversion',
    change: setting('conversion', 'contact_id = NULL', `t.contact_id IS NOT NULL AND ${before('t.created_at')}`),
  },
  {
    field: 'number_days',
    table: 'quote_dead',
    change: `WITH changed AS (DELETE FROM quote_dead WHERE quote_id IN (SELECT t.id FROM quote t JOIN quote_dead d ON d.quote_id = t.id
      WHERE t.corporation_id = $1 AND ${UNUSED} LIMIT $3) RETURNING 1) SELECT count(*) FROM changed`,
  },
  {
    field: 'number_days',
    table: 'quote_recipient',
    change: `WITH changed AS (DELETE FROM quote_recipient WHERE quote_id IN (SELECT DISTINCT t.id FROM quote t
      JOIN quote_recipient d ON d.quote_id = t.id WHERE t.corporation_id = $1 AND ${UNUSED} LIMIT $3) RETURNING 1)
      SELECT count(*) FROM changed`,
  },
  {
    // The longest period is a month, so no count of a period that goes on is lost.
    field: 'number_days',
    table: 'sending_limit_use',
    change: `WITH changed AS (DELETE FROM sending_limit_use u USING sending_limit l WHERE u.corporation_id = $1
      AND l.id = u.limit_id AND l.kind = 'recipient' AND u.starts_on < $2::date AND $3::integer > 0 RETURNING 1)
      SELECT count(*) FROM changed`,
  },
  {
    field: 'reply_days',
    table: 'conversation_entry',
    told: true,
    change: `WITH changed AS (UPDATE conversation_entry SET text = '[removed]', ${TOLD} WHERE id IN (
        SELECT t.id FROM conversation_entry t JOIN conversation c ON c.id = t.conversation_id
        WHERE c.corporation_id = $1 AND t.kind = 'note' AND t.text <> '[removed]' AND ${before('t.created_at')} LIMIT $3)
      RETURNING 1) SELECT count(*) FROM changed`,
  },
  {
    field: 'reply_days',
    table: 'inbox_message',
    told: true,
    change: `WITH picked AS (SELECT t.id, t.inbound_id FROM inbox_message t WHERE t.corporation_id = $1 AND ${before('t.received_at')}
        AND (t.message <> '[removed]' OR t.reply_message <> '[removed]' OR t.parameters IS NOT NULL) ORDER BY t.id LIMIT $3),
      inbound AS (UPDATE inbound_message SET text = '[removed]', parameters = NULL WHERE id IN (SELECT inbound_id FROM picked)),
      changed AS (UPDATE inbox_message SET message = '[removed]', parameters = NULL, ${TOLD},
        reply_message = CASE WHEN reply_message IS NOT NULL THEN '[removed]' END WHERE id IN (SELECT id FROM picked) RETURNING 1)
      SELECT count(*) FROM changed`,
  },
  {
    field: 'reply_days',
    table: 'conversation',
    change: `SELECT cut_conversations($1, ($2::date::timestamp AT TIME ZONE 'UTC'), $3) AS count`,
  },
];
