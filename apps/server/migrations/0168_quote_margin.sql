-- A migration of its own, so that it locks quotes and nothing else that programs write.

-- Reason for which the quote cannot become a campaign, in words for its user; null for none.
ALTER TABLE quote ADD COLUMN IF NOT EXISTS refusal_code text;
-- What a quote would bring and cost, with the destinations that bring a loss (the contract's quoteMargin). Only the platform
-- sees it.
CREATE TABLE IF NOT EXISTS quote_margin (
  quote_id bigint PRIMARY KEY REFERENCES quote ON DELETE CASCADE,
  currency text NOT NULL, -- of who pays the platform
  price bigint NOT NULL, -- millionths, of parts with a known cost
  cost bigint NOT NULL,
  unknown_parts bigint NOT NULL,
  losses jsonb NOT NULL
);
ALTER TABLE quote_margin ENABLE ROW LEVEL SECURITY;
ALTER TABLE quote_margin FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS caller ON quote_margin;
DROP POLICY IF EXISTS inside ON quote_margin;
CREATE POLICY caller ON quote_margin FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON quote_margin TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON quote_margin TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON quote_margin TO heliograph_worker;
