-- Sessions in which support sees the console as another person does, and the consent that they need.
CREATE TABLE support_consent (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  given_by bigint REFERENCES user_account ON DELETE SET NULL,
  by_administrator boolean NOT NULL, -- given by an administrator of the corporation
  given_at timestamptz NOT NULL,
  until timestamptz NOT NULL CHECK (until > given_at)
);

-- The session itself is a row of `session` of the person who is seen. It has no pair of tokens: a program of before finds no
-- caller by the token of a support session.
CREATE TABLE support_session (
  session_id uuid PRIMARY KEY REFERENCES session ON DELETE CASCADE,
  token_digest bytea NOT NULL CONSTRAINT support_session_token_digest_key UNIQUE,
  actor_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  actor_session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
  -- Roles and places of both at the beginning: the session ends when they differ.
  rights text NOT NULL,
  reason text NOT NULL,
  began_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > began_at AND ends_at <= began_at + interval '1 hour'),
  recorded_at timestamptz -- when its end was written into the activity log
);
CREATE INDEX support_session_actor_id ON support_session (actor_id);
CREATE INDEX support_session_actor_session_id ON support_session (actor_session_id);
CREATE INDEX support_session_open ON support_session (ends_at) WHERE recorded_at IS NULL;

ALTER TABLE sign_in_policy ADD COLUMN support text NOT NULL DEFAULT 'everyone'
  CHECK (support IN ('everyone', 'administrators', 'nobody'));
CREATE OR REPLACE VIEW sign_in_policy_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.idle_minutes, p.session_hours, p.addresses, p.second_factor,
    p.passkeys, p.passkeys_from, p.min_password_length, p.device_mail, p.created_at, p.support
  FROM sign_in_policy p LEFT JOIN corporation c ON c.id = p.corporation_id;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['support_consent', 'support_session'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
CREATE TRIGGER support_consent_of_person BEFORE INSERT ON support_consent FOR EACH ROW EXECUTE FUNCTION refuse_service_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON support_consent, support_session TO heliograph_auth;
GRANT SELECT, DELETE ON support_consent, support_session TO heliograph_worker;
-- A job of the worker records the ends.
GRANT UPDATE (recorded_at) ON support_session TO heliograph_worker;
GRANT SELECT (ended_at), UPDATE (ended_at) ON session TO heliograph_worker;
GRANT SELECT ON sign_in_policy TO heliograph_worker;
