-- Token of a key for programs of Twilio: like the key, only the answer that makes it has it.
CREATE OR REPLACE VIEW api_key_row WITH (security_invoker) AS
  SELECT k.id, k.corporation_id, c.name AS corporation_name, k.user_id, u.name AS user_name, k.name, k.mode, NULL::text AS key, k.prefix,
    k.previous_prefix, CASE WHEN k.previous_until > now() THEN k.previous_until END AS previous_until, k.scopes,
    k.allowed_ips, k.last_used_at, k.last_used_ip, k.rotated_at, k.revoked_at, k.created_at, k.read_national, k.last_day,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN is_over(k.last_day, k.corporation_id) THEN 'ended' ELSE 'valid' END AS state,
    k.doors, NULL::text AS auth_token
  FROM api_key k JOIN corporation c ON c.id = k.corporation_id JOIN user_account u ON u.id = k.user_id
  WHERE k.service_account_id IS NULL;

CREATE OR REPLACE VIEW service_account_key_row WITH (security_invoker) AS
  SELECT k.id, k.service_account_id, s.name AS service_account_name, k.corporation_id, c.name AS corporation_name, k.name, k.mode,
    NULL::text AS key, k.prefix, k.last_day, k.last_used_at, k.last_used_ip, k.revoked_at, k.created_at, m.name AS created_by_name,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN is_over(k.last_day, k.corporation_id) THEN 'ended' ELSE 'valid' END AS state,
    NULL::text AS auth_token, s.doors
  FROM api_key k JOIN service_account s ON s.id = k.service_account_id JOIN corporation c ON c.id = k.corporation_id
  LEFT JOIN user_account m ON m.id = k.created_by;
