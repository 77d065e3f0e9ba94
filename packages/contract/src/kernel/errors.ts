import { CONTACT_ERRORS } from './contact-errors.ts';
import { KEY_ERRORS } from './key-errors.ts';
import type { Outage } from './outages.ts';
import { SANDBOX_ERRORS } from './sandbox-errors.ts';
import { SIGN_ON_ERRORS } from './sign-on-errors.ts';
import { VERIFY_ERRORS } from './verify-errors.ts';

/**
 * All business errors. The key is the `code` on the wire; the sentence for people is `errors.<code>` in the message
 * files. Codes that are used in one place only belong here too: this table is the complete catalog.
 */
export const ERRORS = {
  // Session
  unauthenticated: { status: 401 },
  wrong_credentials: { status: 401 },
  account_locked: { status: 401 },
  account_disabled: { status: 401 },
  refresh_token_invalid: { status: 401 },
  password_expired: { status: 409 },
  password_not_expired: { status: 409 },
  session_ended: { status: 422 },
  otp_invalid: { status: 422 },
  otp_expired: { status: 422 },
  otp_too_many_tries: { status: 422 },
  passkey_refused: { status: 422 },
  passkey_host: { status: 422 },
  passkey_limit: { status: 409 },
  proof_required: { status: 403 },
  proof_too_weak: { status: 422 },
  ...SIGN_ON_ERRORS,
  reset_link_invalid: { status: 422 },
  invitation_accepted: { status: 409 },
  // Rights
  forbidden: { status: 403 },
  csrf_token_mismatch: { status: 403 },
  not_found: { status: 404 },
  // General
  validation_failed: { status: 422 },
  malformed_request: { status: 400 },
  method_not_allowed: { status: 405 },
  unsupported_media_type: { status: 415 },
  request_timeout: { status: 408 },
  headers_too_large: { status: 431 },
  payload_too_large: { status: 413 },
  too_many_requests: { status: 429 },
  has_dependencies: { status: 409 },
  invalid_transition: { status: 409 },
  reminded_already: { status: 429 },
  took_too_long: { status: 503 },
  task_cancelled: { status: 409 },
  changed_meanwhile: { status: 409 },
  edit_conflict: { status: 409 },
  answered_meanwhile: { status: 409 },
  internal_error: { status: 500 },
  unavailable: { status: 503 },
  // The database waits for a standby that is gone. Paused: refused before any change. Unconfirmed: outcome unknown.
  changes_paused: { status: 503 },
  changes_unconfirmed: { status: 503 },
  // Duplicates, section 8 of the specification
  ...CONTACT_ERRORS,
  ...VERIFY_ERRORS,
  ...SANDBOX_ERRORS,
  corporation_already_exists: { status: 409 },
  department_already_exists: { status: 409 },
  message_template_already_exists: { status: 409 },
  sender_ids_already_exist: { status: 409 },
  protected_name_already_exists: { status: 409 },
  test_number_already_exists: { status: 409 },
  number_already_given: { status: 409 },
  billing_account_already_exists: { status: 409 },
  merchant_account_already_exists: { status: 409 },
  price_plan_already_exists: { status: 409 },
  rate_zone_already_exists: { status: 409 },
  rate_already_exists: { status: 409 },
  exchange_rate_already_exists: { status: 409 },
  network_already_exists: { status: 409 },
  network_code_taken: { status: 409 },
  exchange_rate_missing: { status: 422 },
  invoice_columns_missing: { status: 422 },
  invoice_file_empty: { status: 422 },
  number_source_already_exists: { status: 409 },
  consent_already_recorded: { status: 409 },
  already_opted_out: { status: 409 },
  blacklist_text_already_exists: { status: 409 },
  web_domain_already_exists: { status: 409 },
  blackout_time_already_configured: { status: 409 },
  alias_already_exists: { status: 409 },
  aliases_already_exist: { status: 409 },
  routing_already_exists: { status: 409 },
  callback_already_exists: { status: 409 },
  callback_of_elsewhere: { status: 409 },
  callback_addresses_full: { status: 409 },
  scheduled_file_already_exists: { status: 409 },
  scheduled_file_gone: { status: 409 },
  audit_stream_already_exists: { status: 409 },
  retention_rule_already_exists: { status: 409 },
  sending_hours_already_exist: { status: 409 },
  sending_limit_already_exists: { status: 409 },
  system_id_already_exists: { status: 409 },
  connection_type_already_exists: { status: 409 },
  configuration_already_exists: { status: 409 },
  configuration_built_in: { status: 409 },
  language_line_already_exists: { status: 409 },
  language_line_built_in: { status: 409 },
  language_line_own: { status: 409 },
  article_already_exists: { status: 409 },
  change_log_already_exists: { status: 409 },
  user_already_exists: { status: 409 },
  role_already_exists: { status: 409 },
  permission_already_exists: { status: 409 },
  menu_already_exists: { status: 409 },
  link_already_exists: { status: 409 },
  carrier_card_already_exists: { status: 409 },
  carrier_card_applied: { status: 409 },
  carrier_card_empty: { status: 409 },
  carrier_rate_already_exists: { status: 409 },
  carrier_columns_missing: { status: 422 },
  carrier_file_empty: { status: 422 },
  carrier_route_already_exists: { status: 409 },
  carrier_route_conditions_taken: { status: 409 },
  reseller_already_exists: { status: 409 },
  reseller_host_taken: { status: 409 },
  short_link_host_taken: { status: 409 },
  texts_hidden: { status: 409 },
  key_reads_numbers: { status: 409 },
  numbers_hidden: { status: 403 },
  // Own records
  set_above: { status: 409 },
  own_department: { status: 409 },
  own_corporation: { status: 409 },
  own_billing_account: { status: 409 },
  user_is_supervisor: { status: 409 },
  user_has_routings: { status: 409 },
  user_delete_failed: { status: 500 },
  own_user: { status: 409 },
  read_only_role: { status: 409 },
  password_reset_failed: { status: 500 },
  unlock_failed: { status: 409 },
  // Roles, permissions and the menu
  permission_missing: { status: 409 },
  permission_built_in: { status: 409 },
  permission_is_landing_page: { status: 409 },
  permission_required: { status: 422 },
  role_built_in: { status: 409 },
  role_level_in_use: { status: 409 },
  reseller_role_missing: { status: 409 },
  corporate_admin_role_missing: { status: 409 },
  menu_built_in: { status: 409 },
  menu_is_landing_page: { status: 409 },
  menu_too_deep: { status: 409 },
  // Second factor
  totp_not_begun: { status: 409 },
  image_unusable: { status: 422 },
  // Files
  file_type_unknown: { status: 422 },
  file_headers_invalid: { status: 422 },
  file_columns_ambiguous: { status: 422 },
  file_without_valid_numbers: { status: 422 },
  file_already_uploaded: { status: 409 },
  file_unreadable: { status: 422 },
  file_protected: { status: 422 },
  file_format_old: { status: 422 },
  file_cut_off: { status: 422 },
  workbook_too_large: { status: 422 },
  sheet_missing: { status: 422 },
  header_row_missing: { status: 422 },
  file_bytes_invalid: { status: 422 },
  file_holds_nul: { status: 422 },
  separators_mixed: { status: 422 },
  quote_open: { status: 422 },
  too_many_files: { status: 429 },
  // Money
  reference_used: { status: 409 },
  transfer_reference_used: { status: 409 },
  transfer_insufficient: { status: 409 },
  transfer_suspended: { status: 409 },
  transfer_reversed: { status: 409 },
  top_up_reference_used: { status: 409 },
  top_up_not_refundable: { status: 409 },
  top_up_four_eyes: { status: 403 },
  top_up_return_four_eyes: { status: 403 },
  automatic_top_up_on: { status: 409 },
  automatic_top_up_waits: { status: 409 },
  voucher_batch_already_exists: { status: 409 },
  voucher_unknown: { status: 422 },
  // Invoices
  invoice_issuer_already_exists: { status: 409 },
  invoice_buyer_already_exists: { status: 409 },
  invoice_issuer_missing: { status: 409 },
  invoice_buyer_missing: { status: 409 },
  invoice_issued: { status: 409 },
  invoice_not_open: { status: 409 },
  invoice_not_payable: { status: 409 },
  invoice_negative: { status: 409 },
  invoice_too_large: { status: 422 },
  invoice_preparing: { status: 409 },
  insufficient_credit: { status: 409 },
  sending_limit_reached: { status: 409 },
  price_above_limit: { status: 409 },
  billing_account_suspended: { status: 409 },
  billing_account_held: { status: 409 },
  plan_follows_cost: { status: 409 },
  margin_no_cost: { status: 409 },
  margin_currency: { status: 409 },
  month_not_complete: { status: 409 },
  month_closed: { status: 409 },
  month_not_newest: { status: 409 },
  volume_discount_overlaps: { status: 409 },
  month_second_person: { status: 409 },
  billing_account_missing: { status: 409 },
  reseller_account_unavailable: { status: 409 },
  price_plan_not_in_force: { status: 409 },
  card_too_large: { status: 413 },
  card_has_errors: { status: 409 },
  // Campaigns
  campaign_create_failed: { status: 500 },
  campaign_prepare_failed: { status: 500 },
  content_file_required: { status: 422 },
  supervisor_required: { status: 409 },
  notify_number_missing: { status: 422 },
  test_number_missing: { status: 422 },
  cost_not_confirmed: { status: 409 },
  audience_empty: { status: 422 },
  audience_changed: { status: 409 },
  campaign_in_test: { status: 409 },
  sender_not_allowed: { status: 422 },
  sender_out_of_use: { status: 409 },
  sender_suspended: { status: 409 },
  template_required: { status: 422 },
  template_changed: { status: 409 },
  template_four_eyes: { status: 403 },
  sender_document_kept: { status: 409 },
  number_not_held: { status: 409 },
  sender_held: { status: 403 },
  sender_four_eyes: { status: 403 },
  sender_not_registered: { status: 409 },
  sender_registration_exists: { status: 409 },
  flash_not_allowed: { status: 422 },
  text_too_long: { status: 422 },
  unknown_placeholder: { status: 422 },
  blackout_time: { status: 409 },
  outside_hours: { status: 409 },
  switched_off: { status: 409 },
  held_for_decision: { status: 409 },
  moderation_rule_already_exists: { status: 409 },
  schedule_over: { status: 409 },
  undo_over: { status: 409 },
  no_route: { status: 409 },
  destination_unavailable: { status: 409 },
  // Programs
  program_disabled: { status: 403 },
  client_ref_taken: { status: 409 },
  idempotency_key_reused: { status: 422 },
  idempotency_in_flight: { status: 409 },
  message_has_left: { status: 409 },
  batch_has_left: { status: 409 },
  nothing_accepted: { status: 422 },
  cursor_invalid: { status: 422 },
  agent_client_unknown: { status: 400 },
  agent_client_unreachable: { status: 400 },
  agent_request_wrong: { status: 400 },
  ...KEY_ERRORS,
} as const satisfies Record<string, { status: number }>;

export type ErrorCode = keyof typeof ERRORS;

/** Differences between a stale save and the record; `fields` has only the fields of the save. */
export interface EditConflict {
  /** Present version of the record, for `If-Match` of the next save. */
  etag: string;
  /** Values of both sides by field; both are null for a field that is never shown, such as a password. */
  fields: Record<string, { yours: unknown; theirs: unknown }>;
  /** Present record. */
  current: Record<string, unknown>;
}

/** Body of every error on the wire: RFC 9457 `application/problem+json` with our members. */
export interface Problem {
  /** Address of a page about this kind of error. */
  type: string;
  /** Name of this kind of error, the same at each occurrence. */
  title: string;
  status: number;
  code: ErrorCode;
  /** Cause of the code `unavailable`, if it is known. */
  reason?: Outage;
  detail?: string;
  request_id: string;
  /** Sentence for the person, in their language. */
  message: string;
  /** Sentences by field name (`a.b.0` for nested ones), for status 422. */
  errors?: Record<string, string[]>;
  /** Differences, for `edit_conflict`. */
  conflict?: EditConflict;
  /** Present and true if the session must end. */
  logout?: boolean;
}
