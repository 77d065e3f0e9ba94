-- Numbers without a country code are read by a rule of the configuration. Installations that are there already keep
-- refusing them until their operator says otherwise; new ones get the rule with their reference data.
INSERT INTO global_configuration (key, name, value, description)
SELECT 'number_read_national', 'National numbers', 'false', 'true reads 0917… and 917… with the country code, as 63917….'
WHERE EXISTS (SELECT FROM global_configuration WHERE key = 'number_min')
ON CONFLICT DO NOTHING;

ALTER TABLE import ADD COLUMN read_national boolean NOT NULL DEFAULT true, ADD COLUMN rows_national integer NOT NULL DEFAULT 0;
ALTER TABLE bulk_upload ADD COLUMN rows_national integer NOT NULL DEFAULT 0;
ALTER TABLE api_key ADD COLUMN read_national boolean NOT NULL DEFAULT false;

CREATE OR REPLACE VIEW api_key_row WITH (security_invoker) AS
  SELECT k.id, k.corporation_id, c.name AS corporation_name, k.user_id, u.name AS user_name, k.name, k.mode, NULL::text AS key, k.prefix,
    k.previous_prefix, CASE WHEN k.previous_until > now() THEN k.previous_until END AS previous_until, k.scopes,
    k.allowed_ips, k.last_used_at, k.last_used_ip, k.rotated_at, k.revoked_at, k.created_at, k.read_national
  FROM api_key k JOIN corporation c ON c.id = k.corporation_id JOIN user_account u ON u.id = k.user_id;
GRANT SELECT (read_national), UPDATE (read_national) ON api_key TO heliograph_api;
