-- Interfaces of other gateways, each open only to the keys that name it.
ALTER TABLE api_key ADD COLUMN doors text[] NOT NULL DEFAULT '{}';
ALTER TABLE service_account ADD COLUMN doors text[] NOT NULL DEFAULT '{}';
GRANT SELECT (doors), UPDATE (doors) ON api_key TO heliograph_api;

-- Form in which a message's outcome is told, such as kannel:3 with the mask of wanted reports; null for a signed callback.
ALTER TABLE program_message ADD COLUMN callback_form text;
-- contract: demanded: column program_message.callback_form

CREATE OR REPLACE VIEW api_key_row WITH (security_invoker) AS
  SELECT k.id, k.corporation_id, c.name AS corporation_name, k.user_id, u.name AS user_name, k.name, k.mode, NULL::text AS key, k.prefix,
    k.previous_prefix, CASE WHEN k.previous_until > now() THEN k.previous_until END AS previous_until, k.scopes,
    k.allowed_ips, k.last_used_at, k.last_used_ip, k.rotated_at, k.revoked_at, k.created_at, k.read_national, k.last_day,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN is_over(k.last_day, k.corporation_id) THEN 'ended' ELSE 'valid' END AS state,
    k.doors
  FROM api_key k JOIN corporation c ON c.id = k.corporation_id JOIN user_account u ON u.id = k.user_id
  WHERE k.service_account_id IS NULL;

CREATE OR REPLACE VIEW service_account_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.department_id, d.name AS department_name, s.billing_account_id,
    b.name AS billing_account_name, s.name, s.contact_email, s.scopes, s.allowed_ips, s.read_national, s.enabled, s.created_at,
    m.name AS created_by_name, k.keys, k.ends_next, k.last_used_at, k.last_used_ip, s.doors
  FROM service_account s JOIN corporation c ON c.id = s.corporation_id LEFT JOIN department d ON d.id = s.department_id
  LEFT JOIN billing_account b ON b.id = s.billing_account_id LEFT JOIN user_account m ON m.id = s.created_by
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE works) AS keys, min(last_day) FILTER (WHERE works) AS ends_next, max(last_used_at) AS last_used_at,
      (array_agg(last_used_ip ORDER BY last_used_at DESC NULLS LAST))[1] AS last_used_ip
    FROM (SELECT *, revoked_at IS NULL AND NOT coalesce(is_over(last_day, corporation_id), false) AS works
      FROM (SELECT corporation_id, last_day, last_used_at, last_used_ip, revoked_at FROM api_key WHERE service_account_id = s.id) a) a) k;
