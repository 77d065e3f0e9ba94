-- These stand alone: a transaction that holds this table and waits for another would meet one that queues a campaign.

-- The statement of an account folds the lines of a campaign, and of traffic outside campaigns in a quarter of an hour,
-- into one. These find the first and all lines of each.
CREATE INDEX credit_change_of_campaign ON credit_change (billing_account_id, campaign_id, id) WHERE campaign_id IS NOT NULL;
CREATE INDEX credit_change_of_quarter ON credit_change (billing_account_id, hour, id)
  WHERE campaign_id IS NULL AND hour IS NOT NULL;
-- Charges of an account by time, for its pace of the last days.
CREATE INDEX credit_change_of_account_charged ON credit_change (billing_account_id, created_at) WHERE kind = 'charge';

-- Charges of the last days, for how long the credit of accounts lasts.
CREATE INDEX credit_change_charged ON credit_change (created_at) WHERE kind = 'charge';
