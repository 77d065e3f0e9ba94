-- When campaigns run, who let them, and what holds them back.

-- A campaign that repeats: each occurrence is a campaign of its own, with its own quote and reservation.
CREATE TABLE campaign_series (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint REFERENCES department,
  created_by bigint NOT NULL REFERENCES user_account,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  name text NOT NULL,
  content jsonb NOT NULL,            -- the contract's campaignContent
  schedule jsonb NOT NULL,           -- the contract's campaignSchedule of the first occurrence
  skip_blackout boolean NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'active', 'ended')), -- waiting: for an approval
  max_cost bigint,                   -- thousandths; what was approved of an occurrence, null where nobody needed to
  next_occurrence integer NOT NULL DEFAULT 2,
  next_at timestamptz,               -- null: there is none any more
  next_quote_id bigint REFERENCES quote,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX campaign_series_next ON campaign_series (next_at) WHERE state = 'active';
CREATE INDEX campaign_series_corporation_id ON campaign_series (corporation_id, next_at);

ALTER TABLE campaign
  ADD COLUMN revision integer NOT NULL DEFAULT 0,     -- grows with every edit of what is sent; reservations carry it
  ADD COLUMN schedule jsonb NOT NULL DEFAULT '{}',    -- the contract's campaignSchedule, wall times as they were given
  ADD COLUMN starts_at timestamptz,                   -- null: as soon as it is prepared
  ADD COLUMN ends_at timestamptz,                     -- what is unsent then is cancelled
  ADD COLUMN spread_until timestamptz,                -- its pace is such that the last message leaves by then
  ADD COLUMN skip_blackout boolean NOT NULL DEFAULT false,
  ADD COLUMN pause_reason text CHECK (pause_reason IN ('person', 'blackout', 'canary')),
  ADD COLUMN resumes_at timestamptz,                  -- of a pause that ends by itself
  ADD COLUMN canary_state text CHECK (canary_state IN ('sending', 'watching', 'passed', 'failed')),
  ADD COLUMN canary_count bigint,
  ADD COLUMN canary_until timestamptz,                -- the end of the watch
  ADD COLUMN fingerprint text,                        -- of text, audience, sender, schedule and cost: what an approval is bound to
  ADD COLUMN asked_by bigint REFERENCES user_account, -- whose version of it waits for an approval
  ADD COLUMN asked_at timestamptz,
  ADD COLUMN approved_by bigint REFERENCES user_account,
  ADD COLUMN approved_at timestamptz,
  ADD COLUMN approved_fingerprint text,
  ADD COLUMN series_id bigint REFERENCES campaign_series,
  ADD COLUMN occurrence integer,
  ADD CONSTRAINT campaign_series_occurrence_key UNIQUE (series_id, occurrence);
CREATE INDEX campaign_starts_at ON campaign (starts_at) WHERE state IN ('pending', 'scheduled');

-- Why a campaign changed its state where nobody did it.
ALTER TABLE campaign_transition ADD COLUMN reason text;

-- Messages that must not leave yet: of recipients for whom it is night, or behind the canary. They are no senders' business
-- until they are open.
ALTER TABLE chunk
  ADD COLUMN quiet_zone text,                         -- IANA names joined by commas: held while it is night in one of them
  ADD COLUMN after_canary boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT chunk_state_check,
  ADD CONSTRAINT chunk_state_check CHECK (state IN ('open', 'held', 'done', 'cancelled', 'expired'));

ALTER TABLE campaign_series ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_series FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON campaign_series TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
  AND (NOT (SELECT scope_is_user()) OR created_by = (SELECT scope_user())));
CREATE POLICY inside ON campaign_series TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT, UPDATE ON campaign_series TO heliograph_api, heliograph_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker;
