/** Business errors of keys of the public API, of service accounts and of texts. */
export const KEY_ERRORS = {
  scope_missing: { status: 403 },
  address_not_allowed: { status: 403 },
  key_for_agents: { status: 403 },
  agents_not_opened: { status: 403 },
  key_ended: { status: 401 },
  service_account_disabled: { status: 403 },
  api_key_already_exists: { status: 409 },
  api_key_revoked: { status: 409 },
  api_key_ended: { status: 409 },
  api_key_outside: { status: 422 },
  service_account_already_exists: { status: 409 },
  service_account_key_already_exists: { status: 409 },
  text_key_destroyed: { status: 409 },
} as const;
