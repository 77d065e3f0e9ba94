-- Verify services: the rules by which a corporation's programs prove that a person has a phone.
CREATE TABLE verify_service (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  app_name text NOT NULL,
  code_length smallint NOT NULL,
  minutes smallint NOT NULL,
  tries smallint NOT NULL,
  resends smallint NOT NULL,
  resend_pause smallint NOT NULL, -- seconds
  senders text[] NOT NULL, -- the first message uses the first, a resend the next
  language text NOT NULL,
  texts jsonb NOT NULL DEFAULT '[]', -- [{"language", "text"}]
  format text NOT NULL,
  origin_host text,
  app_hash text,
  countries text[] NOT NULL,
  guard text NOT NULL,
  number_limit integer NOT NULL,
  address_limit integer NOT NULL,
  device_limit integer NOT NULL,
  block_limit integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX verify_service_name_key ON verify_service (corporation_id, name_key(name));

-- Verifications. The code is nowhere: it is derived from the seed with a key of the installation, and compared by a digest with
-- another. A final state removes both. Those of one service are in no other's history.
CREATE TABLE verification (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  service_id bigint NOT NULL REFERENCES verify_service ON DELETE CASCADE,
  is_test boolean NOT NULL,
  number text COLLATE "C" NOT NULL,
  language text NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'approved', 'failed', 'cancelled', 'refused')),
  seed bytea,
  code_mac bytea,
  code_length smallint NOT NULL,
  checks smallint NOT NULL DEFAULT 0,
  most_checks smallint NOT NULL,
  sends smallint NOT NULL,
  most_sends smallint NOT NULL,
  resend_pause smallint NOT NULL,
  message_ids bigint[] NOT NULL,
  parts integer NOT NULL DEFAULT 0,
  price bigint NOT NULL DEFAULT 0, -- thousandths
  saved bigint NOT NULL DEFAULT 0, -- thousandths that a refusal has saved, or would have saved
  client_ref text,
  client_ip text,
  device text,
  decision text NOT NULL CHECK (decision IN ('allowed', 'would_refuse', 'refused')),
  signals jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL,
  last_sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX verification_corporation ON verification (corporation_id, id);
CREATE INDEX verification_service ON verification (service_id, id);
CREATE INDEX verification_number ON verification (number);
CREATE INDEX verification_created_at ON verification (created_at);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['verify_service', 'verification'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_intake USING (true)', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api
      USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON verify_service TO heliograph_api;
GRANT SELECT ON verify_service TO heliograph_intake, heliograph_worker;
GRANT SELECT, UPDATE ON verification TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON verification TO heliograph_intake;
GRANT USAGE ON SEQUENCE verification_id_seq TO heliograph_intake;
GRANT SELECT, UPDATE, DELETE ON verification TO heliograph_worker;

CREATE VIEW verify_service_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.name, s.app_name, s.code_length, s.minutes, s.tries, s.resends,
    s.resend_pause, s.senders, s.language, s.texts, s.format, s.origin_host, s.app_hash, s.countries, s.guard, s.number_limit,
    s.address_limit, s.device_limit, s.block_limit, s.created_at
  FROM verify_service s JOIN corporation c ON c.id = s.corporation_id;
GRANT SELECT ON verify_service_row TO heliograph_api;
