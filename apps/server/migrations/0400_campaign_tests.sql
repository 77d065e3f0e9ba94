-- A/B tests of campaigns. Each sample and the rest are ordinary campaigns; a test notes only who gets which and what decides.
CREATE TABLE campaign_test (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint REFERENCES department,
  created_by bigint NOT NULL REFERENCES user_account,
  name text NOT NULL,
  state text NOT NULL DEFAULT 'draft'
    CHECK (state IN ('draft', 'running', 'waiting', 'counting', 'finished', 'stopped')),
  metric text NOT NULL,              -- the contract's TEST_METRICS
  event_name text,                   -- of the conversions that are counted
  share_percent smallint NOT NULL CHECK (share_percent BETWEEN 1 AND 100),
  decide_after_hours integer NOT NULL CHECK (decide_after_hours BETWEEN 1 AND 720),
  certainty_percent smallint NOT NULL CHECK (certainty_percent BETWEEN 50 AND 99),
  decides text NOT NULL,             -- the contract's TEST_DECIDES
  fallback text NOT NULL,            -- the contract's TEST_FALLBACKS
  schedule jsonb NOT NULL DEFAULT '{}', -- quiet time and pace of every campaign of the test
  waits_for text,                    -- a reason of the contract, or the code of an error
  max_rest_cost bigint,              -- thousandths, as a person confirmed it; null for a draft
  asks_approval boolean NOT NULL DEFAULT false, -- the person may not run campaigns
  skip_blackout boolean NOT NULL DEFAULT false,
  looks_at timestamptz,              -- when the clock looks again; null: a person goes on
  started_at timestamptz,
  decided_at timestamptz,
  decided_by text CHECK (decided_by IN ('certainty', 'fallback', 'person')),
  winner smallint CHECK (winner BETWEEN 1 AND 5),
  result jsonb,                      -- figures behind the decision
  rest_quote_id bigint REFERENCES quote,
  rest_cost bigint,                  -- thousandths, as that quote counted it
  rest_campaign_id bigint REFERENCES campaign,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT campaign_test_rest_campaign_id_key UNIQUE (rest_campaign_id)
);
CREATE INDEX campaign_test_visible ON campaign_test (corporation_id, id);
CREATE INDEX campaign_test_looks_at ON campaign_test (looks_at) WHERE looks_at IS NOT NULL;

-- A variant: its sample, and what the rest would be with it.
CREATE TABLE campaign_test_variant (
  test_id bigint NOT NULL REFERENCES campaign_test ON DELETE CASCADE,
  place smallint NOT NULL CHECK (place BETWEEN 1 AND 5),
  corporation_id bigint NOT NULL,
  start text,                        -- wall time of its sample; null: as soon as the test starts
  sample_quote_id bigint NOT NULL REFERENCES quote,
  rest_quote_id bigint REFERENCES quote, -- null: the samples are everybody
  rest_count bigint,                 -- as that quote counted them before the start
  rest_cost bigint,
  campaign_id bigint REFERENCES campaign,
  CONSTRAINT campaign_test_variant_pkey PRIMARY KEY (test_id, place),
  CONSTRAINT campaign_test_variant_campaign_id_key UNIQUE (campaign_id)
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['campaign_test', 'campaign_test_variant'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_api, heliograph_worker', t);
  END LOOP;
END $$;
CREATE POLICY caller ON campaign_test TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
  AND (NOT (SELECT scope_is_user()) OR created_by = (SELECT scope_user())));
CREATE POLICY caller ON campaign_test_variant TO heliograph_api
  USING (EXISTS (SELECT FROM campaign_test t WHERE t.id = test_id));
