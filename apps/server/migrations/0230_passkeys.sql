-- contract: demanded: constraint otp_challenge.otp_challenge_method_check CHECK ((method = ANY (ARRAY['otp'::text, 'totp'::text, 'passkey'::text]))) NOT VALID
-- A passkey of a person: the public half of a key pair that stays in their device or password manager (WebAuthn level 3).
CREATE TABLE passkey (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  -- Host of the console for which the browser made it; no other host can use it.
  host text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  credential_id bytea NOT NULL UNIQUE CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  public_key bytea NOT NULL,
  -- Number of signatures that the device has counted; 0 if it does not count.
  counter bigint NOT NULL DEFAULT 0 CHECK (counter >= 0),
  transports text[] NOT NULL DEFAULT '{}',
  synced boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkey_user_id ON passkey (user_id);

-- Challenges that were answered: each may be answered once.
CREATE TABLE passkey_challenge (
  digest bytea PRIMARY KEY,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX passkey_challenge_used_at ON passkey_challenge (used_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON passkey TO heliograph_auth;
GRANT INSERT ON passkey_challenge TO heliograph_auth;
GRANT SELECT, DELETE ON passkey_challenge TO heliograph_worker;
-- An administrator lifts the passkeys of a lost device without seeing them.
GRANT SELECT (user_id), DELETE ON passkey TO heliograph_api;

ALTER TABLE passkey ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON passkey FOR SELECT TO heliograph_api USING (user_id IN (SELECT id FROM user_account));
CREATE POLICY caller_removes ON passkey FOR DELETE TO heliograph_api USING (user_id IN (SELECT id FROM user_account));
CREATE POLICY inside ON passkey TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true);
ALTER TABLE passkey_challenge ENABLE ROW LEVEL SECURITY;
ALTER TABLE passkey_challenge FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON passkey_challenge TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true);

ALTER TABLE otp_challenge DROP CONSTRAINT otp_challenge_method_check;
ALTER TABLE otp_challenge ADD CONSTRAINT otp_challenge_method_check CHECK (method IN ('otp', 'totp', 'passkey')) NOT VALID;
