import type { PersonKind } from '@heliograph/contract/privacy/person-request';

/**
 * Place where records of a person are kept. Statements name the row `t`; their parameters are `$1` the number in the
 * form of lists, `$2` its expression in texts, and `$3` the corporations that are searched, null for all.
 */
export interface Place {
  kind: PersonKind;
  table: string;
  /** Condition on the rows that are about the person. */
  where: string;
  /** Columns that tell the person what is kept, as a JSON object; by default the whole row without its inner fields. */
  shown?: string;
  /**
   * Change that erases the rows: they are deleted, or these columns are set. `$4` is a name for the person that says
   * nothing of them. Places without it follow another one, or have a way of their own.
   */
  erase?: 'delete' | string;
  /** Condition on the rows that are erased, if it differs: rows of no corporation, and rows that must wait. */
  erasedWhere?: string;
}

/** Condition that is always true: a statement must name the type of each of its parameters. */
export const TYPED = '($1::text IS NOT NULL OR $2::text IS NULL OR $3::bigint[] IS NULL)';

const OWN = '($3::bigint[] IS NULL OR t.corporation_id = ANY ($3))';
/** Condition for tables that belong to no corporation. */
const PLATFORM = '$3::bigint[] IS NULL';
const named = (column: string) => `t.${column} = $1 AND ${OWN}`;
const within = (...columns: string[]) =>
  `(${columns.map((column) => `t.${column}::text ~ $2`).join(' OR ')}) AND ${OWN}`;

/** Message with its text and what became of it. */
const MESSAGE = `(SELECT to_jsonb(r) FROM (SELECT m.id, m.created_at, m.sender_id, m.number, m.name, m.text, m.parts, m.state
  FROM message_row m WHERE m.id = t.id) r)`;

/** Row with the text of its content; an encrypted one has its place. */
const CONTENT = `to_jsonb(t) || jsonb_build_object('content', (t.content - 'values_sealed')
  || jsonb_build_object('content', placed_text(t.content ->> 'content', t.corporation_id, 'campaign'),
    'language_texts', (SELECT coalesce(jsonb_agg(l || jsonb_build_object('text', placed_text(l ->> 'text', t.corporation_id, 'campaign'))),
      '[]') FROM jsonb_array_elements(coalesce(t.content -> 'language_texts', '[]')) l)))`;

/** Removes the number from columns. */
const scrubbed = (...columns: string[]) =>
  columns.map((column) => `${column} = without_number(${column}, $2)`).join(', ');

/**
 * Every place but the stored files, in the order in which records are exported and erased: a place that is found through
 * another one comes before it.
 */
export const PLACES: readonly Place[] = [
  {
    kind: 'deliveries',
    table: 'sandbox_due',
    where: `t.message_id IN (SELECT p.message_id FROM sandbox_part p WHERE p.number = $1) AND ${OWN}`,
    erase: 'delete',
  },
  { kind: 'deliveries', table: 'sandbox_part', where: named('number'), erase: 'delete' },
  { kind: 'inbox', table: 'sandbox_reply', where: named('number'), erase: 'delete' },
  { kind: 'messages', table: 'message', where: named('msisdn'), shown: MESSAGE },
  {
    kind: 'waiting',
    table: 'message_row',
    where: `t.number = $1 AND t.state IN ('pending', 'submitted') AND ${OWN}`,
  },
  {
    kind: 'deliveries',
    table: 'http_delivery',
    where: `t.body IS DISTINCT FROM '' AND (t.body ~ $2 OR t.url ~ $2 OR t.attempts::text ~ $2
      OR t.inbox_message_id IN (SELECT i.id FROM inbox_message i WHERE i.oa = $1)) AND ${OWN}`,
    erase: `body = '', url = without_number(url, $2), attempts = '[]', done_at = coalesce(done_at, now()),
      state = CASE state WHEN 'waiting' THEN 'failed' ELSE state END`,
  },
  { kind: 'deliveries', table: 'event', where: within('data'), erase: 'data = without_number(data, $2, true)' },
  {
    kind: 'deliveries',
    table: 'smpp_delivery',
    where: `(t.source = $1 OR t.destination = $1 OR t.text ~ $2) AND ${OWN}`,
    erase: 'delete',
  },
  { kind: 'deliveries', table: 'smpp_long_message', where: within('recipient', 'envelope'), erase: 'delete' },
  { kind: 'deliveries', table: 'routing_attempt', where: within('answer'), erase: "answer = '[removed]'" },
  { kind: 'deliveries', table: 'idempotency_key', where: within('answer', 'key'), erase: 'delete' },
  {
    kind: 'deliveries',
    table: 'program_batch',
    where: within('rejected', 'tags', 'client_ref'),
    erase: scrubbed('rejected', 'tags', 'client_ref'),
  },
  {
    kind: 'deliveries',
    table: 'program_message',
    where: within('client_ref', 'tags', 'callback_url'),
    erase: scrubbed('client_ref', 'tags', 'callback_url'),
  },
  { kind: 'deliveries', table: 'client_ref_claim', where: within('client_ref'), erase: 'delete' },
  {
    kind: 'inbox',
    table: 'inbound_message',
    where: `t.sender = $1 AND (${PLATFORM} OR EXISTS (SELECT FROM inbox_message i WHERE i.inbound_id = t.id AND i.corporation_id = ANY ($3)))`,
    erase: "sender = $4, text = '[removed]', parameters = NULL",
  },
  { kind: 'inbox', table: 'inbound_part', where: `t.sender = $1 AND ${PLATFORM}`, erase: 'delete' },
  {
    kind: 'inbox',
    table: 'conversation_entry',
    shown: `to_jsonb(t) || jsonb_build_object('text', placed_text(t.text,
      (SELECT c.corporation_id FROM conversation c WHERE c.id = t.conversation_id), 'n' || t.conversation_id))`,
    where: `t.kind = 'note' AND t.text <> '[removed]' AND EXISTS (SELECT FROM conversation c WHERE c.id = t.conversation_id
      AND (c.oa = $1 OR t.text ~ $2) AND ($3::bigint[] IS NULL OR c.corporation_id = ANY ($3)))`,
    erase: "text = '[removed]', removed_at = now(), removed_days = NULL",
  },
  {
    kind: 'inbox',
    table: 'inbox_message',
    where: named('oa'),
    shown: `to_jsonb(t) || jsonb_build_object('message', placed_text(t.message, t.corporation_id, 'i' || t.inbound_id),
      'reply_message', placed_text(t.reply_message, t.corporation_id, 'r' || t.inbound_id))`,
    erase: `oa = $4, message = '[removed]', parameters = NULL, removed_at = now(), removed_days = NULL,
      reply_message = CASE WHEN reply_message IS NOT NULL THEN '[removed]' END`,
  },
  {
    kind: 'lists',
    table: 'number_list_number',
    where: `t.number = $1 AND EXISTS (SELECT FROM number_list l WHERE l.id = t.number_list_id
      AND ($3::bigint[] IS NULL OR l.corporation_id = ANY ($3)))`,
    shown: `to_jsonb(t) || jsonb_build_object('list', (SELECT l.name FROM number_list l WHERE l.id = t.number_list_id))`,
  },
  {
    kind: 'short_links',
    table: 'conversion',
    where: `t.contact_id IN (SELECT c.id FROM contact c WHERE c.number = $1) AND ${OWN}`,
    erase: 'contact_id = NULL',
  },
  {
    kind: 'contacts',
    table: 'contact',
    where: named('number'),
    shown: `(SELECT jsonb_build_object('number', r.number, 'name', r.name, 'tags', r.tags, 'fields', r.fields, 'created_at',
      r.created_at) FROM contact_row r WHERE r.id = t.id)`,
    erase: 'delete',
  },
  { kind: 'contacts', table: 'segment', where: within('rule'), erase: scrubbed('rule') },
  { kind: 'contacts', table: 'journey', where: within('definition'), erase: scrubbed('definition') },
  {
    kind: 'contacts',
    table: 'journey_version',
    where: within('definition', 'rules'),
    erase: scrubbed('definition', 'rules'),
  },
  { kind: 'contacts', table: 'journey_person', where: named('number'), erase: 'delete' },
  {
    kind: 'deliveries',
    table: 'verification',
    where: named('number'),
    shown: "to_jsonb(t) - '{seed,code_mac}'::text[]",
    erase: 'delete',
  },
  {
    kind: 'deliveries',
    table: 'verify_reputation',
    where: `(t.value = $1 OR t.reason ~ $2) AND ${OWN}`,
    erase: 'delete',
  },
  { kind: 'contacts', table: 'contact_change', where: named('number'), erase: 'delete' },
  { kind: 'contacts', table: 'refused_contact', where: within('cells'), erase: 'delete' },
  { kind: 'opt_outs', table: 'opt_out', where: named('number') },
  { kind: 'blacklist', table: 'blacklist_number', where: named('number') },
  { kind: 'consents', table: 'consent', where: named('number'), erase: 'delete' },
  { kind: 'consents', table: 'consent_event', where: named('number'), erase: 'delete' },
  { kind: 'short_links', table: 'short_link', where: named('msisdn'), erase: 'msisdn = left(msisdn, -4)' },
  { kind: 'short_links', table: 'short_link_click', where: named('msisdn'), erase: 'msisdn = left(msisdn, -4)' },
  { kind: 'short_links', table: 'short_link_target', where: within('url'), erase: scrubbed('url') },
  {
    kind: 'campaigns',
    table: 'campaign',
    where: within('content', 'name'),
    shown: CONTENT,
    erase: scrubbed('content', 'name'),
    // A campaign that is not written yet still needs its recipients.
    erasedWhere: `${within('content', 'name')} AND t.state NOT IN ('preparing', 'pending')`,
  },
  {
    kind: 'campaigns',
    table: 'campaign_draft',
    where: within('content', 'name'),
    shown: CONTENT,
    erase: scrubbed('content', 'name'),
  },
  {
    kind: 'campaigns',
    table: 'campaign_series',
    where: within('content', 'name'),
    shown: CONTENT,
    erase: scrubbed('content', 'name'),
  },
  { kind: 'campaigns', table: 'campaign_test', where: within('name'), erase: scrubbed('name') },
  {
    kind: 'campaigns',
    table: 'quote',
    where: within('content', 'samples', 'rejected', 'details'),
    shown: `${CONTENT} - 'samples' - 'details'`,
    erase: `samples = '[]', ${scrubbed('content', 'rejected', 'details')}`,
  },
  {
    kind: 'campaigns',
    table: 'quote_dead',
    where: `$1 = ANY (t.numbers) AND ${OWN}`,
    erase: 'numbers = array_remove(numbers, $1)',
  },
  {
    kind: 'campaigns',
    table: 'quote_recipient',
    where: `$1 = ANY (t.numbers) AND ${OWN}`,
    shown: "jsonb_build_object('number', $1::text, 'name', t.names[array_position(t.numbers, $1::text)])",
    erase: `names = names[:array_position(numbers, $1::text) - 1] || names[array_position(numbers, $1::text) + 1:],
      numbers = array_remove(numbers, $1::text)`,
  },
  {
    kind: 'campaigns',
    table: 'moderation_item',
    shown: `to_jsonb(t) || jsonb_build_object('samples', ARRAY(SELECT placed_text(s, t.corporation_id, 'moderation') FROM unnest(t.samples) s))`,
    where: within('samples', 'reason'),
    erase: `samples = '{}', ${scrubbed('reason')}`,
  },
  {
    kind: 'tasks',
    table: 'task',
    where: within('parameters', 'preview', 'faults', 'error_params', 'download_file', 'file_name'),
    erase: `preview = '[]', ${scrubbed('parameters', 'faults', 'error_params', 'download_file', 'file_name')}`,
  },
  {
    kind: 'tasks',
    table: 'saved_view',
    where: `t.query::text ~ $2 AND ($3::bigint[] IS NULL OR EXISTS (SELECT FROM user_account u
      WHERE u.id = t.user_id AND u.corporation_id = ANY ($3)))`,
    erase: scrubbed('query'),
  },
  {
    kind: 'tasks',
    table: 'upload',
    where: within('preview', 'file_name'),
    erase: `preview = '[]', ${scrubbed('file_name')}`,
  },
  { kind: 'limits', table: 'sending_limit_use', where: `t.subject::text = $1 AND ${OWN}`, erase: 'delete' },
  { kind: 'log', table: 'activity_log', where: within('properties') },
  {
    kind: 'log',
    table: 'application_log',
    where: `(t.message ~ $2 OR t.details::text ~ $2) AND ${PLATFORM}`,
    erase: 'delete',
  },
  { kind: 'log', table: 'set_aside', where: `(t.record::text ~ $2 OR t.error ~ $2) AND ${PLATFORM}`, erase: 'delete' },
  {
    kind: 'lookups',
    table: 'number_lookup',
    where: `t.msisdn = $1 AND ${PLATFORM}`,
    erase: 'delete',
    erasedWhere: 't.msisdn = $1',
  },
  {
    kind: 'lookups',
    table: 'number_wanted',
    where: `t.msisdn = $1 AND ${PLATFORM}`,
    erase: 'delete',
    erasedWhere: 't.msisdn = $1',
  },
  { kind: 'tests', table: 'link_test', where: `t.number = $1 AND ${PLATFORM}`, erase: 'number = left(number, -4)' },
  { kind: 'tests', table: 'test_number', where: `t.number = $1 AND ${PLATFORM}`, erase: 'delete' },
];
