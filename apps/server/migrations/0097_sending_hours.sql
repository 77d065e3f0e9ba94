-- Hours of the day in which people may get messages, by their country; for all corporations.
CREATE TABLE sending_hours (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  calling_code text CHECK (calling_code ~ '^\d{1,4}$'), -- null for every country
  start_time text NOT NULL CHECK (start_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  end_time text NOT NULL CHECK (end_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  covers text NOT NULL DEFAULT 'commercial' CHECK (covers IN ('commercial', 'all')),
  outside text NOT NULL DEFAULT 'wait' CHECK (outside IN ('wait', 'refuse')),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sending_hours_name_key ON sending_hours (name_key(name));
ALTER TABLE sending_hours ENABLE ROW LEVEL SECURITY;
ALTER TABLE sending_hours FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON sending_hours FOR SELECT TO heliograph_api USING (true);
CREATE POLICY caller_changes ON sending_hours TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON sending_hours TO CURRENT_USER, heliograph_worker, heliograph_intake USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sending_hours TO heliograph_api;
GRANT SELECT ON sending_hours TO heliograph_worker, heliograph_intake;

-- A corporation may let its blackout time hold the commercial messages of its programs too.
ALTER TABLE blackout_time ADD COLUMN programs boolean NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW blackout_time_row WITH (security_invoker) AS
  SELECT b.id, b.corporation_id, b.start_time, b.end_time, b.enabled, b.created_at, c.name AS corporation_name, c.timezone, b.programs
  FROM blackout_time b JOIN corporation c ON c.id = b.corporation_id;
CREATE POLICY intake ON blackout_time TO heliograph_intake USING (true);
GRANT SELECT ON blackout_time TO heliograph_intake;
