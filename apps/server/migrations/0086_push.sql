-- Notices on a person's devices by Web Push (RFC 8030). The key names this installation to the push services of browsers.
CREATE TABLE push_key (
  id boolean PRIMARY KEY DEFAULT true CHECK (id), -- one row
  public_key text NOT NULL,
  private_key_sealed text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- One for each session: it ends with the sign-out.
CREATE TABLE push_subscription (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  session_id uuid NOT NULL CONSTRAINT push_subscription_session_id_key UNIQUE REFERENCES session ON DELETE CASCADE,
  endpoint text NOT NULL,
  p256dh text NOT NULL, -- the browser's public key and secret, with which a notice is encrypted
  auth text NOT NULL,
  kinds text[] NOT NULL,
  replied_at timestamptz, -- the last notice of replies
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX push_subscription_user_id ON push_subscription (user_id);
CREATE INDEX push_subscription_endpoint ON push_subscription (endpoint);
-- A browser has one endpoint. If somebody else signs in there, the person before gets no more notices on it.
CREATE FUNCTION move_push_endpoint() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  DELETE FROM push_subscription WHERE endpoint = NEW.endpoint AND session_id <> NEW.session_id;
  RETURN NULL;
END $$;
CREATE TRIGGER moved AFTER INSERT OR UPDATE OF endpoint ON push_subscription
  FOR EACH ROW EXECUTE FUNCTION move_push_endpoint();

ALTER TABLE push_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE push_key FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON push_key FOR SELECT TO heliograph_api USING (true);
CREATE POLICY inside ON push_key TO CURRENT_USER, heliograph_worker USING (true);
ALTER TABLE push_subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE push_subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON push_subscription TO heliograph_api USING (user_id = (SELECT scope_user()));
CREATE POLICY inside ON push_subscription TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT (id, public_key) ON push_key TO heliograph_api;
GRANT SELECT, INSERT ON push_key TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON push_subscription TO heliograph_api;
GRANT SELECT, UPDATE, DELETE ON push_subscription TO heliograph_worker;
