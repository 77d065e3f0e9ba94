-- Traffic of each link by minute, written by the sender that holds it, once the minute is over. Screens draw an hour, a day
-- and a week of it. A minute without traffic has no row.
CREATE TABLE link_minute (
  minute timestamptz NOT NULL,
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  submitted integer NOT NULL DEFAULT 0, -- segments
  accepted integer NOT NULL DEFAULT 0,
  throttled integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  unanswered integer NOT NULL DEFAULT 0,
  answers integer NOT NULL DEFAULT 0, -- whose time is in response_ms
  response_ms bigint NOT NULL DEFAULT 0,
  delivered integer NOT NULL DEFAULT 0, -- final receipts
  undelivered integer NOT NULL DEFAULT 0,
  errors jsonb NOT NULL DEFAULT '{}', -- answers other than success, by the name of their status
  PRIMARY KEY (minute, link_id)
);
CREATE INDEX link_minute_link_id ON link_minute (link_id, minute);

-- Adds up two objects of counts.
CREATE FUNCTION add_counts(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT coalesce(jsonb_object_agg(key, n), '{}') FROM (
    SELECT key, sum(value::bigint) AS n FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) e
    GROUP BY key) s);

-- Links as they are now, with one meaning of "down" for alarms, metrics and the doctor. A link that no sender holds has been
-- down since its last holder was heard.
CREATE VIEW link_now WITH (security_invoker) AS
  SELECT l.id, l.name, l.enabled, l.draining, l.for_tests, l.binds, l.window_size, l.rate, coalesce(s.carried, false) AS carried,
    CASE WHEN l.draining THEN 'draining' WHEN NOT l.enabled THEN 'disabled'
      WHEN s.holder IS NULL OR NOT link_word_is_fresh(s.updated_at) THEN 'down' ELSE s.state END AS state,
    CASE WHEN s.holder IS NULL OR link_word_is_fresh(s.updated_at) THEN s.since ELSE s.updated_at END AS since,
    CASE WHEN link_word_is_fresh(s.updated_at) THEN s.holder END AS holder, s.live
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id;

-- Conditions that need an operator: one row for each occurrence. It is noted when the condition is first seen, raised once it
-- has lasted, and ended when it has been away for a while, so that something that comes and goes is told once.
CREATE TABLE alarm (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  condition text NOT NULL CHECK (condition IN ('link_down', 'queue_delayed', 'node_gone', 'disk_low')),
  subject text NOT NULL, -- what it is about, by its id or name
  name text NOT NULL, -- of the subject, for people
  link_id bigint REFERENCES link ON DELETE SET NULL,
  detail jsonb NOT NULL DEFAULT '{}',
  since timestamptz NOT NULL,
  noticed_at timestamptz NOT NULL DEFAULT now(), -- by the watch, which may have begun later
  seen_at timestamptz NOT NULL DEFAULT now(),
  raised_at timestamptz,
  ended_at timestamptz,
  told_at timestamptz, -- people were told that it began
  end_told_at timestamptz
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX alarm_present ON alarm (condition, subject) WHERE ended_at IS NULL;
CREATE INDEX alarm_ended_at ON alarm (ended_at);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['link_minute', 'alarm'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api', t);
  END LOOP;
END $$;
CREATE POLICY inside ON link_minute TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
CREATE POLICY inside ON alarm TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON link_minute TO heliograph_sender;
GRANT SELECT, DELETE ON link_minute TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON alarm TO heliograph_worker;
GRANT USAGE ON SEQUENCE alarm_id_seq TO heliograph_worker;
GRANT SELECT ON link_now TO heliograph_worker, heliograph_sender;
