import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import type { Answer } from '../test-api.ts';
import { whoseOf } from './classification.ts';
import { clients, owner } from './places.ts';
import { colleague, email, TRIES } from './unique-tries.ts';

// A unique value that somebody beyond a wall holds is answered like a value that nobody holds.

/** Records with keys that cannot be another tenant's, because they name a record of the caller's own. */
const OF_OWN_RECORDS: Readonly<Record<string, string>> = {
  'assign-sender-ids': 'a department and a sender ID, both the corporation’s own',
  'blackout-time': 'one for each corporation',
  'invoice-buyers': 'one for each corporation',
  'invoice-issuers': 'one for each seller',
  'retention-rules': 'one of each side for a corporation that the caller sees',
  'sign-in-policies': 'one for each corporation',
  numbers: 'a number of a list that the caller sees',
  'web-domains': 'a domain of a corporation that the caller sees',
  rates: 'a prefix of a plan that the caller sees',
};

const shapeOf = ({ status, body }: Answer) => {
  const { code, errors, data } = (body ?? {}) as { code?: string; errors?: object; data?: object };
  return JSON.stringify({ status, code, errors, data: data && Object.keys(data).sort() });
};

/**
 * Unique keys without a column that names a tenant or a tenant's record, by the reason why no tenant learns from them.
 */
const FOR_ALL: Readonly<Record<string, readonly string[]>> = {
  'only the platform writes them': [
    'article_parent_id_title_key',
    'blacklist_text_text_key',
    'carrier_rate_key',
    'carrier_route_name_key',
    'change_log_version_key',
    'connection_type_name_key',
    'exchange_rate_pair_key',
    'global_configuration_pkey',
    'language_line_group_key_key',
    'language_text_pkey',
    'link_callback_key_key',
    'link_name_key',
    'link_virtual',
    'menu_parent_id_title_key',
    'moderation_rule_name_key',
    'network_code_key',
    'network_name_key',
    'number_source_name_key',
    'permission_name_key',
    'protected_name_name_key',
    'test_number_number_key',
    'rate_zone_name_key',
    'reseller_host_key',
    'reseller_short_link_host_key',
    'corporation_short_link_host_key',
    'role_name_key',
    'role_name_once',
    'role_permission_pkey',
    'sending_hours_name_key',
    'smpp_system_id_system_id_key',
  ],
  'a domain of one provider, and proved only by who writes its DNS': [
    'identity_domain_domain_key',
    'identity_domain_proved_key',
  ],
  'a person or group of one directory, and one rule for each corporation': [
    'directory_group_display_name_key',
    'directory_person_user_name_key',
    'sign_in_policy_owner_key',
  ],
  'the program makes them': [
    'identity_provider_provisioning_digest_key',
    'external_identity_subject_key',
    'identity_provider_key_key',
    'provider_answer_pkey',
    'merchant_account_notice_key_key',
    'payment_notice_event_id_key',
    'top_up_reference_key',
    'top_up_return_key_key',
    'top_up_return_provider_id_key',
    'voucher_code_digest_key',
    'account_payment_transfer_id_key',
    'activity_log_position_key',
    'alarm_present',
    'allowance_share_pkey',
    'api_key_digest_key',
    'api_key_previous_digest_key',
    'approved_template_pkey',
    'article_image_pkey',
    'article_key_key',
    'callback_progress_pkey',
    'campaign_quote_id_key',
    'campaign_test_rest_campaign_id_key',
    'campaign_test_variant_pkey',
    'card_upload_row_pkey',
    'carrier_quality_version_pkey',
    'carrier_card_replay_pkey',
    'carrier_route_version_pkey',
    'closed_day_pkey',
    'closed_month_key',
    'contact_change_pkey',
    'cost_entry_pkey',
    'cost_transfer_key_key',
    'counted_network_quarter_pkey',
    'counted_quarter_pkey',
    'day_closing_pkey',
    'documentation_offered_pkey',
    'exchange_rate_version_pkey',
    'field_hold_pkey',
    'inbox_message_inbound_id_key',
    'invoice_document_kind_key',
    'invoice_line_position_key',
    'invoice_mail_kind_key',
    'invoice_number_key',
    'invoice_payment_id_key',
    'invoice_payment_pair_key',
    'invoice_series_pkey',
    'invoice_statement_id_key',
    'key_fingerprint_pkey',
    'ledger_entry_pkey',
    'ledger_transfer_key_key',
    'margin_counted_pkey',
    'menu_key_key',
    'menu_offered_pkey',
    'node_name_key',
    'network_prefix_now',
    'network_prefix_pkey',
    'network_shipped_key',
    'network_state_pkey',
    'network_version_pkey',
    'number_lookup_pkey',
    'number_source_use_pkey',
    'number_wanted_pkey',
    'passkey_challenge_pkey',
    'passkey_credential_id_key',
    'password_reset_pkey',
    'journey_person_pkey',
    'journey_step_pkey',
    'journey_version_number_key',
    'quote_audience_pkey',
    'quote_dead_pkey',
    'quote_recipient_pkey',
    'quote_margin_pkey',
    'rate_history_pkey',
    'redacted_day_pkey',
    'refused_contact_pkey',
    'reseller_image_key_key',
    'rule_version_in_force',
    'schema_migrations_pkey',
    'sending_limit_use_pkey',
    'session_token_access_digest_key',
    'session_token_refresh_digest_key',
    'short_link_click_pkey',
    'short_link_host_pkey',
    'short_link_pkey',
    'short_link_program_pkey',
    'smpp_failure_pkey',
    'support_session_token_digest_key',
    'smpp_feed_pkey',
    'smpp_part_pkey',
    'verify_counter_pkey',
    'verify_prefix_pkey',
    'verify_reputation_pkey',
    'unknown_sign_in_pkey',
    'user_image_key_key',
  ],
  'whoever holds a number learns that a keyword of it was given away: a text from a phone goes to one place': [
    'routing_number_keyword_key',
  ],
};
const OF_TENANTS =
  /^(corporation|department|user|reseller|billing_account|from_account|price_plan|api_key|number_list|campaign|scheduled_file|series|smpp_system_id|callback_endpoint|sender_id|link|article|chunk|message|outcome|alias|download|session)_id$/;

test('every unique key belongs to a tenant, or has a stated reason', async () => {
  const { rows } = await owner.query<{ name: string; columns: string[] }>(`
    SELECT i.relname AS name, ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = x.indrelid AND a.attnum = ANY (x.indkey)) AS columns
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class c ON c.oid = x.indrelid
    WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace AND NOT (c.relispartition AND c.relname ~ '_[0-9]{8}$') ORDER BY 1`);
  const open = rows.filter(({ columns }) => !columns.some((column) => column === 'id' || OF_TENANTS.test(column)));
  assert.deepEqual(
    open.map(({ name }) => name),
    Object.values(FOR_ALL).flat().sort(),
  );
});

test('the test covers every record with a unique key that a tenant may write', () => {
  const tenants = RESOURCES.filter(
    (r) => whoseOf(ALL_OPERATIONS.find((o) => o === r.createOne)!) === 'tenant' && Object.keys(r.conflicts).length > 0,
  ).map(({ name }) => name);
  const known = new Set([...TRIES.map(({ record }) => record), ...Object.keys(OF_OWN_RECORDS)]);
  assert.deepEqual(
    tenants.filter((name) => !known.has(name)),
    [],
  );
});

test('an address that a tenant holds is free for the platform’s other customers', async () => {
  const address = await email('sibling_corporation')();
  const body = { ...colleague(address), name: 'Their own' };
  const made = await clients.get('superadmin')!('POST', '/api/v1/users', body);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const again = await clients.get('superadmin')!('POST', '/api/v1/users', body);
  assert.equal((again.body as { code: string }).code, 'user_already_exists');
});

test('a value that another tenant holds is answered like a free one', async () => {
  const wrong: string[] = [];
  for (const { record, login, method = 'POST', path, body, held: value, free, refused } of TRIES) {
    const client = clients.get(login)!;
    const taken = await client(method, `/api/v1/${path}`, body(await value()));
    const other = await client(method, `/api/v1/${path}`, body(free));
    const what = `${login} ${method} ${path} (${record})`;
    if (shapeOf(taken) !== shapeOf(other)) wrong.push(`${what}: ${shapeOf(taken)}, free: ${shapeOf(other)}`);
    if (other.status < 400 === (refused !== undefined))
      wrong.push(`${what}: free: ${other.status} ${JSON.stringify(other.body)}`);
  }
  assert.deepEqual(wrong, []);
});
