-- Last trial of prices of a plan: what the traffic of 30 days would bring by them. Amounts are thousandths of the currency.
CREATE TABLE price_trial (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  price_plan_id bigint NOT NULL REFERENCES price_plan ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE, -- the reseller that owns the plan
  prices text NOT NULL CHECK (prices IN ('rule', 'card', 'present')),
  from_day date NOT NULL,
  to_day date NOT NULL,
  currency text NOT NULL,
  lines jsonb NOT NULL, -- sums by network
  made_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT price_trial_price_plan_id_key UNIQUE (price_plan_id)
);
CREATE INDEX price_trial_corporation_id ON price_trial (corporation_id);
ALTER TABLE price_trial ENABLE ROW LEVEL SECURITY;
ALTER TABLE price_trial FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON price_trial FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON price_trial TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON price_trial TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON price_trial TO heliograph_worker;
