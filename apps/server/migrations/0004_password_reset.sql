-- A mailed link by which a person sets a new password: good once, for an hour. The table knows only its digest.
CREATE TABLE password_reset (
  digest bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX password_reset_user_id ON password_reset (user_id, created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON password_reset TO heliograph_auth;
