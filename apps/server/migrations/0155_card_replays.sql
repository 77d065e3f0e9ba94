-- Last replay of a carrier card: what the traffic of 30 days would cost by it. Amounts are millionths of the currency.
CREATE TABLE carrier_card_replay (
  carrier_card_id bigint PRIMARY KEY REFERENCES carrier_card ON DELETE CASCADE,
  from_day date NOT NULL,
  to_day date NOT NULL,
  currency text NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE carrier_card_replay_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  carrier_card_id bigint NOT NULL REFERENCES carrier_card_replay ON DELETE CASCADE,
  carrier_route_id bigint, -- without a reference, as routes are deleted
  network text NOT NULL,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  parts bigint NOT NULL,
  price bigint NOT NULL,
  cost_before bigint NOT NULL,
  cost_after bigint NOT NULL,
  unknown_before bigint NOT NULL,
  unknown_after bigint NOT NULL
);
CREATE INDEX carrier_card_replay_line_card ON carrier_card_replay_line (carrier_card_id);
CREATE INDEX carrier_card_replay_line_corporation_id ON carrier_card_replay_line (corporation_id);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_card_replay', 'carrier_card_replay_line'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT USAGE ON SEQUENCE carrier_card_replay_line_id_seq TO heliograph_worker;
