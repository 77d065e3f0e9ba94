-- Scheduled files: messages of each hour or day, sent as files to a customer's SFTP server or S3 bucket. Those without a
-- corporation hold the messages of the whole platform.
CREATE TABLE scheduled_file (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  every text NOT NULL DEFAULT 'day' CHECK (every IN ('hour', 'day')),
  wait_hours integer NOT NULL DEFAULT 24 CHECK (wait_hours BETWEEN 1 AND 168), -- for receipts, after a period's end
  texts boolean NOT NULL DEFAULT false,
  destination text NOT NULL CHECK (destination IN ('sftp', 's3')),
  host text,
  port integer NOT NULL DEFAULT 22 CHECK (port BETWEEN 1 AND 65535),
  host_key text, -- SHA-256 fingerprint that a person confirmed
  endpoint text,
  region text NOT NULL DEFAULT 'us-east-1',
  bucket text,
  folder text NOT NULL DEFAULT '',
  username text NOT NULL, -- of the server, or the ID of the access key
  secret_sealed text,
  private_key_sealed text,
  covered_until timestamptz NOT NULL, -- end of the last period that has a run
  failing_since timestamptz,
  told_at timestamptz, -- its people were told of the failure
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX scheduled_file_name_key ON scheduled_file (corporation_id, name_key(name)) NULLS NOT DISTINCT;

-- One period each. Its content is written once, with the states of then, and never changes.
CREATE TABLE scheduled_file_run (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  scheduled_file_id bigint NOT NULL REFERENCES scheduled_file ON DELETE CASCADE,
  period_start timestamptz NOT NULL,
  period_end timestamptz NOT NULL,
  timezone text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent')),
  kept_path text, -- until the content is no longer kept
  rows bigint,
  bytes bigint,
  sha256 text,
  previous_sha256 text, -- of the file of the period before
  written_at timestamptz,
  tries integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  error text,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT scheduled_file_run_period_key UNIQUE (scheduled_file_id, period_start),
  CHECK (period_end > period_start)
);
CREATE INDEX scheduled_file_run_corporation_id ON scheduled_file_run (corporation_id, id);
CREATE INDEX scheduled_file_run_waiting ON scheduled_file_run (scheduled_file_id, period_start) WHERE state = 'waiting';
CREATE INDEX scheduled_file_run_sent_at ON scheduled_file_run (sent_at);

CREATE VIEW scheduled_file_row WITH (security_invoker) AS
  SELECT f.id, f.corporation_id, c.name AS corporation_name, f.name, f.enabled, f.every, f.wait_hours, f.texts, f.destination,
    f.host, f.port, f.host_key, f.endpoint, f.region, f.bucket, f.folder, f.username, f.secret_sealed IS NOT NULL AS has_secret,
    f.private_key_sealed IS NOT NULL AS has_private_key, f.covered_until, f.failing_since, f.created_at,
    (SELECT max(r.period_end) FROM scheduled_file_run r WHERE r.scheduled_file_id = f.id AND r.state = 'sent') AS sent_until
  FROM scheduled_file f LEFT JOIN corporation c ON c.id = f.corporation_id;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['scheduled_file', 'scheduled_file_run'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (
      (SELECT scope_is_platform()) OR ((SELECT scope_is_corporation())
        AND corporation_id = ANY ((SELECT scope_corporations())::bigint[])))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_file TO heliograph_api;
GRANT SELECT, UPDATE ON scheduled_file TO heliograph_worker;
GRANT SELECT ON scheduled_file_run TO heliograph_api;
GRANT UPDATE (state, tries, next_at, error, sent_at) ON scheduled_file_run TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON scheduled_file_run TO heliograph_worker;
GRANT SELECT ON scheduled_file_row TO heliograph_api;

-- The logins of destinations are sealed too, so they say whether a process has the right key. The function of before stays
-- as a part, so that no kind of secret is listed twice.
ALTER FUNCTION sealed_values() RENAME TO sealed_values_of_records;
CREATE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT context, sealed FROM sealed_values_of_records())
  UNION ALL
  (SELECT 'scheduled_file.secret.' || id, secret_sealed FROM scheduled_file WHERE secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'scheduled_file.private_key.' || id, private_key_sealed FROM scheduled_file WHERE private_key_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100);
END;
REVOKE EXECUTE ON FUNCTION sealed_values() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sealed_values() TO heliograph_worker, heliograph_sender;
