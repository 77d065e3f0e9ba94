-- Rules by which the card of a price plan follows the seller's own cost: for a reseller, the plan that it buys on.
CREATE TABLE margin_rule (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  price_plan_id bigint NOT NULL REFERENCES price_plan ON DELETE CASCADE,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- owner of the plan; null for the platform
  link_id bigint REFERENCES link, -- link whose carrier's costs a plan of the platform follows; null: the plan that the owner buys on
  percent integer NOT NULL CHECK (percent BETWEEN -10000 AND 100000), -- hundredths of a percent
  fixed bigint NOT NULL CHECK (fixed BETWEEN 0 AND 999999), -- thousandths for each part
  floor bigint NOT NULL CHECK (floor BETWEEN 0 AND 999999), -- thousandths
  step bigint NOT NULL CHECK (step BETWEEN 1 AND 1000), -- thousandths; prices are rounded up to a multiple
  below_cost boolean NOT NULL, -- false: the price is at least the cost
  cost_key text NOT NULL, -- the cost that the card was made from: another key means another cost
  problem text CHECK (problem IN ('no_cost', 'currency')), -- reason why the card does not follow the cost now
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT margin_rule_price_plan_id_key UNIQUE (price_plan_id),
  CONSTRAINT margin_rule_source CHECK (link_id IS NULL OR corporation_id IS NULL)
);
CREATE INDEX margin_rule_corporation_id ON margin_rule (corporation_id);
CREATE INDEX margin_rule_link_id ON margin_rule (link_id) WHERE link_id IS NOT NULL;

-- Cards that a rule made: from this version of the plan on, until the next row of the plan, prices follow the rule.
CREATE TABLE margin_rule_card (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  price_plan_id bigint NOT NULL, -- without a reference: a charge is explained after its plan is gone
  corporation_id bigint,
  version bigint NOT NULL,
  rule jsonb, -- null: the rule was removed
  source_plan_id bigint, -- plan and version of the cost; null for costs of a carrier
  source_version bigint,
  dearer integer NOT NULL DEFAULT 0,
  cheaper integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX margin_rule_card_plan ON margin_rule_card (price_plan_id, version);
CREATE INDEX margin_rule_card_corporation_id ON margin_rule_card (corporation_id);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['margin_rule', 'margin_rule_card'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    -- Customers do not see their seller's rule, nor resellers the platform's.
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (
      (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON margin_rule TO heliograph_api;
GRANT SELECT, INSERT ON margin_rule_card TO heliograph_api, heliograph_worker;
GRANT SELECT, UPDATE ON margin_rule TO heliograph_worker;
GRANT UPDATE (default_charge) ON price_plan TO heliograph_worker;
