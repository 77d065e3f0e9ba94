-- Rules for the sign-in and the sessions of a corporation's people; without a corporation, of the platform's people. Those
-- of a reseller also hold for its customers.
CREATE TABLE sign_in_policy (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  -- The same as a number without nulls: each request looks a policy up by it.
  owner bigint NOT NULL GENERATED ALWAYS AS (coalesce(corporation_id, 0)) STORED CONSTRAINT sign_in_policy_owner_key UNIQUE,
  idle_minutes integer CHECK (idle_minutes BETWEEN 5 AND 1440),
  session_hours integer CHECK (session_hours BETWEEN 1 AND 2160),
  addresses text[] NOT NULL DEFAULT '{}',
  second_factor boolean NOT NULL DEFAULT false,
  passkeys text NOT NULL DEFAULT 'optional' CHECK (passkeys IN ('optional', 'administrators', 'everyone')),
  passkeys_from date, -- null: now
  min_password_length integer CHECK (min_password_length BETWEEN 8 AND 64),
  device_mail boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE VIEW sign_in_policy_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.idle_minutes, p.session_hours, p.addresses, p.second_factor,
    p.passkeys, p.passkeys_from, p.min_password_length, p.device_mail, p.created_at
  FROM sign_in_policy p LEFT JOIN corporation c ON c.id = p.corporation_id;

ALTER TABLE sign_in_policy ENABLE ROW LEVEL SECURITY;
ALTER TABLE sign_in_policy FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON sign_in_policy TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true);
CREATE POLICY caller ON sign_in_policy TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_policy TO heliograph_api;
GRANT SELECT ON sign_in_policy TO heliograph_auth;
GRANT SELECT ON sign_in_policy_row TO heliograph_api;
