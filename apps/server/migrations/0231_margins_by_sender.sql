-- Margins by sender ID, for the files of reports that have costs. Rows of before have no sender ID: days whose messages are
-- at hand are counted again.
ALTER TABLE margin_day ADD COLUMN sender_id text NOT NULL DEFAULT '';
ALTER TABLE margin_day DROP CONSTRAINT margin_day_pkey;
ALTER TABLE margin_day ADD CONSTRAINT margin_day_pkey
  PRIMARY KEY (day, link_id, network_id, corporation_id, payer_id, campaign_id, sender_id);
CREATE INDEX margin_day_campaign_id ON margin_day (campaign_id) WHERE campaign_id > 0;
UPDATE margin_counted SET again = true;
