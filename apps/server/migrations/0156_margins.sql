-- Prices and costs by day of the platform's time zone, in millionths of the platform's currency. A worker counts a day when
-- it is over, and again while late receipts may change it.
CREATE TABLE margin_day (
  day date NOT NULL,
  link_id bigint NOT NULL,
  network_id bigint NOT NULL, -- 0: not known
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  payer_id bigint NOT NULL, -- the reseller, if the corporation has one
  campaign_id bigint NOT NULL, -- 0: outside campaigns
  parts bigint NOT NULL,
  price bigint NOT NULL, -- of parts with a known cost
  cost bigint NOT NULL,
  unknown_parts bigint NOT NULL,
  unknown_price bigint NOT NULL,
  PRIMARY KEY (day, link_id, network_id, corporation_id, payer_id, campaign_id)
);
CREATE INDEX margin_day_corporation_id ON margin_day (corporation_id, day);
CREATE TABLE margin_counted (
  day date PRIMARY KEY,
  currency text NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now()
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['margin_day', 'margin_counted'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
