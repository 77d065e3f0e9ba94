-- Rows of a large quote that were accepted, so that its campaign can be written in parts while the first ones are sent.
CREATE TABLE quote_audience (
  quote_id bigint PRIMARY KEY REFERENCES quote ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  basis text NOT NULL, -- JSON: what decided about the rows, as it was before and after they were read
  accepted bytea NOT NULL -- a bit for each row of the audience, the lowest bit first
);
CREATE INDEX quote_audience_corporation_id ON quote_audience (corporation_id);

-- Parts of campaigns whose messages are committed while the rest is still written. The last one removes them all.
CREATE TABLE campaign_part (
  campaign_id bigint NOT NULL REFERENCES campaign ON DELETE CASCADE,
  part integer NOT NULL,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  messages integer NOT NULL,
  parts integer NOT NULL, -- of the messages
  amount bigint NOT NULL, -- thousandths
  reseller_amount bigint NOT NULL,
  CONSTRAINT campaign_part_key PRIMARY KEY (campaign_id, part)
);
CREATE INDEX campaign_part_corporation_id ON campaign_part (corporation_id);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['quote_audience', 'campaign_part'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT SELECT, DELETE ON campaign_part TO heliograph_api;
