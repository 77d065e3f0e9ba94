-- Requests to lift the second factor of a person who lost it: another administrator must do the same within a day.
CREATE TABLE recovery_request (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  asked_by bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  asked_at timestamptz NOT NULL
);
CREATE INDEX recovery_request_asked_by ON recovery_request (asked_by);
ALTER TABLE recovery_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE recovery_request FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON recovery_request TO CURRENT_USER, heliograph_worker USING (true);
-- Whoever sees a person sees that their recovery was asked for.
CREATE POLICY caller ON recovery_request TO heliograph_api USING (EXISTS (SELECT FROM user_account u WHERE u.id = user_id));
GRANT SELECT, INSERT, UPDATE, DELETE ON recovery_request TO heliograph_api;
GRANT SELECT ON recovery_request TO heliograph_worker;
