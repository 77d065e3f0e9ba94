-- Quality of carriers: how messages that were submitted at a time over a link ended, by network and kind of sender. The
-- batches that record outcomes add to it. A slot begins as five minutes; it becomes an hour after a day, and a UTC day
-- after eight days.
CREATE TABLE carrier_quality (
  slot timestamptz NOT NULL,
  link_id bigint NOT NULL,
  network_id bigint NOT NULL, -- 0: unknown
  sender_kind text NOT NULL,
  accepted bigint NOT NULL, -- messages
  refused bigint NOT NULL,
  delivered bigint NOT NULL,
  undelivered bigint NOT NULL, -- final receipts of other states
  latencies bigint[] NOT NULL, -- final receipts by the time since the submit, in buckets of the contract
  PRIMARY KEY (slot, link_id, network_id, sender_kind)
) WITH (fillfactor = 70);

-- What the judge makes of it, a row for each link, network and kind of sender that had traffic in the last week.
CREATE TABLE carrier_quality_now (
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  network_id bigint NOT NULL,
  sender_kind text NOT NULL,
  messages bigint NOT NULL, -- of the last week, old enough to be judged
  rate integer NOT NULL, -- delivered of ten thousand, lately
  usual_rate integer NOT NULL, -- over the last week
  p50_ms integer,
  p95_ms integer,
  usual_p95_ms integer,
  unreported integer NOT NULL, -- without a final receipt, of ten thousand
  refused integer NOT NULL, -- of ten thousand
  state text NOT NULL DEFAULT 'good' CHECK (state IN ('good', 'declined', 'trial')),
  since timestamptz NOT NULL, -- of the state
  declined_at timestamptz, -- while it is not good
  cause text CHECK (cause IN ('delivery', 'refusals', 'receipts', 'latency')), -- of the decline
  setbacks integer NOT NULL DEFAULT 0, -- trials that failed since the decline
  judged_at timestamptz NOT NULL,
  PRIMARY KEY (link_id, network_id, sender_kind)
) WITH (fillfactor = 70);

-- Another value with every judgment that changes what routes do.
CREATE TABLE carrier_quality_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version uuid NOT NULL
);
INSERT INTO carrier_quality_version (version) VALUES (gen_random_uuid());

-- Decisions on links: each change of state with its evidence.
CREATE TABLE carrier_quality_decision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  decided_at timestamptz NOT NULL DEFAULT now(),
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  network_id bigint NOT NULL,
  sender_kind text NOT NULL,
  state text NOT NULL CHECK (state IN ('good', 'declined', 'trial')),
  cause text,
  messages bigint NOT NULL, -- that decided
  rate integer,
  usual_rate integer NOT NULL,
  p95_ms integer,
  usual_p95_ms integer
);
CREATE INDEX carrier_quality_decision_link_id ON carrier_quality_decision (link_id, decided_at);
CREATE INDEX carrier_quality_decision_decided_at ON carrier_quality_decision (decided_at);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_quality', 'carrier_quality_now', 'carrier_quality_decision'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api, heliograph_sender', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE ON carrier_quality TO heliograph_sender;
GRANT USAGE ON SEQUENCE carrier_quality_decision_id_seq TO heliograph_worker;
GRANT SELECT ON carrier_quality_version TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;
GRANT UPDATE ON carrier_quality_version TO heliograph_worker;

-- The present quality, for whoever queues a message: a tenant's transaction chooses a link by it and sees none of it.
CREATE FUNCTION all_carrier_quality() RETURNS SETOF carrier_quality_now LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS 'SELECT * FROM carrier_quality_now ORDER BY link_id, network_id, sender_kind';
REVOKE EXECUTE ON FUNCTION all_carrier_quality() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_carrier_quality() TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;

ALTER TABLE alarm DROP CONSTRAINT alarm_condition_check;
ALTER TABLE alarm ADD CONSTRAINT alarm_condition_check
  CHECK (condition IN ('link_down', 'queue_delayed', 'node_gone', 'disk_low', 'quality_declined'));
