-- Requests of support for the consent to see a console: one a person, until they decide or a day has passed.
CREATE TABLE support_request (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  asked_by bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  reason text NOT NULL,
  asked_at timestamptz NOT NULL
);
CREATE INDEX support_request_asked_by ON support_request (asked_by);
ALTER TABLE support_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE support_request FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON support_request TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true);
CREATE TRIGGER support_request_of_person BEFORE INSERT ON support_request FOR EACH ROW EXECUTE FUNCTION refuse_service_user();
GRANT SELECT, INSERT, UPDATE, DELETE ON support_request TO heliograph_auth;
GRANT SELECT, DELETE ON support_request TO heliograph_worker;
