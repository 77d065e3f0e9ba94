-- How a person likes the console, and what they are told of by mail.

CREATE TABLE user_preference (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  page_size integer NOT NULL DEFAULT 25 CHECK (page_size IN (10, 25, 50, 100, 200)),
  timezone text, -- null: the corporation's
  date_format text NOT NULL DEFAULT 'language' CHECK (date_format IN ('language', 'iso', 'day_first', 'month_first')),
  -- Campaigns that wait for one's approval, one's own that were decided or are finished, balances that crossed a limit.
  mail_kinds text[] NOT NULL DEFAULT '{approval,balance}' CHECK (mail_kinds <@ '{approval,finished,balance}')
);
ALTER TABLE user_preference ENABLE ROW LEVEL SECURITY;
ALTER TABLE user_preference FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON user_preference TO heliograph_api USING (user_id = (SELECT scope_user()));
CREATE POLICY inside ON user_preference TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_preference TO heliograph_api;
GRANT SELECT ON user_preference TO heliograph_worker;

-- What became of a campaign is told once to whom it concerns; who writes a line of the timeline need not know them.
ALTER TABLE campaign_transition ADD COLUMN told_at timestamptz;
UPDATE campaign_transition SET told_at = created_at;
CREATE INDEX campaign_transition_untold ON campaign_transition (id) WHERE told_at IS NULL;
GRANT SELECT, UPDATE (told_at) ON campaign_transition TO heliograph_worker;
