-- Guard of verifications against false traffic. Counts of ten minutes by number, address, device and 100 numbers in a row. Keys are
-- digests with a key of the installation, so the table names nobody.
CREATE TABLE verify_counter (
  service_id bigint NOT NULL REFERENCES verify_service ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  kind smallint NOT NULL, -- 1 number, 2 address, 3 device, 4 hundred numbers
  key bytea NOT NULL,
  bucket integer NOT NULL, -- ten minutes since 1970
  starts integer NOT NULL,
  approved integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT verify_counter_pkey PRIMARY KEY (service_id, kind, key, bucket)
);
CREATE INDEX verify_counter_created_at ON verify_counter (created_at);

-- History of the beginnings of numbers, and of a whole service under ''. Counts fade: by half in a minute, an hour, six hours, and a week.
CREATE TABLE verify_prefix (
  service_id bigint NOT NULL REFERENCES verify_service ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  prefix text COLLATE "C" NOT NULL,
  fresh_starts double precision NOT NULL,
  hour_starts double precision NOT NULL,
  hour_approved double precision NOT NULL,
  recent_starts double precision NOT NULL,
  recent_approved double precision NOT NULL,
  past_starts double precision NOT NULL,
  past_approved double precision NOT NULL,
  at timestamptz NOT NULL,
  CONSTRAINT verify_prefix_pkey PRIMARY KEY (service_id, prefix)
);
CREATE INDEX verify_prefix_at ON verify_prefix (at);

-- Beginnings of numbers, and addresses and their networks, that get no code, each with a reason.
CREATE TABLE verify_reputation (
  service_id bigint NOT NULL REFERENCES verify_service ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  value text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  CONSTRAINT verify_reputation_pkey PRIMARY KEY (service_id, value)
);
ALTER TABLE verify_service ADD COLUMN reputation_lines integer NOT NULL DEFAULT 0;
CREATE OR REPLACE VIEW verify_service_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.name, s.app_name, s.code_length, s.minutes, s.tries, s.resends,
    s.resend_pause, s.senders, s.language, s.texts, s.format, s.origin_host, s.app_hash, s.countries, s.guard, s.number_limit,
    s.address_limit, s.device_limit, s.block_limit, s.created_at, s.reputation_lines
  FROM verify_service s JOIN corporation c ON c.id = s.corporation_id;

CREATE INDEX verification_service_at ON verification (service_id, created_at);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['verify_counter', 'verify_prefix', 'verify_reputation'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_intake USING (true)', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api
      USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON verify_counter, verify_prefix TO heliograph_intake, heliograph_api;
GRANT SELECT, DELETE ON verify_counter, verify_prefix TO heliograph_worker;
GRANT SELECT ON verify_reputation TO heliograph_intake;
GRANT SELECT, INSERT, DELETE ON verify_reputation TO heliograph_api;
GRANT SELECT, UPDATE, DELETE ON verify_reputation TO heliograph_worker;
