-- contract: demanded: constraint link.link_test_rate_check CHECK (((test_rate >= 0) AND (test_rate <= 100)))
-- Numbers to which test messages go: `dead` ones that nobody has, phones of our `own`, and phones that answer each
-- message by one of theirs (`loop`).
CREATE TABLE test_number (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL CONSTRAINT test_number_number_key UNIQUE,
  kind text NOT NULL CHECK (kind IN ('dead', 'own', 'loop')),
  note text,
  enabled boolean NOT NULL DEFAULT true,
  answered_at timestamptz, -- last answer of a loop, over any link
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Test messages on links. They belong to no customer, cost nothing, and are in no report.
CREATE TABLE link_test (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  number text NOT NULL,
  kind text NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  carrier_id text, -- null until the carrier accepted it
  state text, -- of its final receipt
  reported_at timestamptz,
  answered_at timestamptz -- of the loop's answer
);
CREATE INDEX link_test_link_id ON link_test (link_id, sent_at);
CREATE INDEX link_test_sent_at ON link_test (sent_at);
CREATE INDEX link_test_number ON link_test (number, sent_at) WHERE kind = 'loop' AND answered_at IS NULL;

-- Judgment on the receipts of each link.
CREATE TABLE link_truth (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  score integer NOT NULL,
  evidence jsonb NOT NULL,
  accused_at timestamptz, -- while it is accused
  judged_at timestamptz NOT NULL
);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['test_number', 'link_test', 'link_truth'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api, heliograph_sender', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE, DELETE ON test_number TO heliograph_api;
GRANT USAGE ON SEQUENCE test_number_id_seq TO heliograph_api;
GRANT INSERT, UPDATE ON link_test TO heliograph_sender;
GRANT USAGE ON SEQUENCE link_test_id_seq TO heliograph_sender;

-- Test messages of a thousand messages; 0 sends none, and receipts are not judged.
ALTER TABLE link ADD COLUMN test_rate integer NOT NULL DEFAULT 0 CHECK (test_rate BETWEEN 0 AND 100);

ALTER TABLE alarm DROP CONSTRAINT alarm_condition_check;
ALTER TABLE alarm ADD CONSTRAINT alarm_condition_check
  CHECK (condition IN ('link_down', 'queue_delayed', 'node_gone', 'disk_low', 'quality_declined', 'receipts_false'));
