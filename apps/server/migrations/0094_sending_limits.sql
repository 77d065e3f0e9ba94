-- Limits of messages and money: per recipient, person, API key, sender ID or corporation, in a day, week or month.
CREATE TABLE sending_limit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  kind text NOT NULL DEFAULT 'corporation'
    CHECK (kind IN ('recipient', 'corporation', 'user', 'api_key', 'sender_id', 'message')),
  class text CHECK (class IN ('otp', 'transactional', 'bulk')), -- null for all
  period text NOT NULL DEFAULT 'day' CHECK (period IN ('day', 'week', 'month')),
  messages integer CHECK (messages > 0),
  spend bigint CHECK (spend > 0), -- thousandths
  -- The one that is limited; null limits each of the corporation's.
  user_id bigint REFERENCES user_account ON DELETE CASCADE,
  api_key_id bigint REFERENCES api_key ON DELETE CASCADE,
  sender_id_id bigint REFERENCES sender_id ON DELETE CASCADE,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sending_limit_one_measure CHECK (num_nonnulls(messages, spend) < 2)
);
CREATE UNIQUE INDEX sending_limit_corporation_id_name_key ON sending_limit (corporation_id, name_key(name));
CREATE INDEX sending_limit_user_id ON sending_limit (user_id);
CREATE INDEX sending_limit_api_key_id ON sending_limit (api_key_id);
CREATE INDEX sending_limit_sender_id_id ON sending_limit (sender_id_id);

-- Messages or thousandths that were counted, by the first day of the period. The subject is the id of a user, key, sender ID or
-- corporation, or the number of a recipient.
CREATE TABLE sending_limit_use (
  limit_id bigint NOT NULL REFERENCES sending_limit ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  starts_on date NOT NULL,
  subject bigint NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (limit_id, starts_on, subject)
);
CREATE INDEX sending_limit_use_starts_on ON sending_limit_use (starts_on);

-- The counts of a campaign from which nothing has left: they are given back if it never runs.
CREATE TABLE campaign_limit_count (
  campaign_id bigint PRIMARY KEY REFERENCES campaign ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  counted jsonb NOT NULL DEFAULT '[]', -- {limit_id, starts_on, subject, amount}
  recipients jsonb NOT NULL DEFAULT '[]', -- {limit_id, starts_on}
  created_at timestamptz NOT NULL DEFAULT now()
);

-- First day of the period of a moment, as the calendar of a time zone has it.
CREATE FUNCTION period_start(period text, moment timestamptz, zone text) RETURNS date LANGUAGE sql STABLE
RETURN date_trunc(period, moment AT TIME ZONE zone)::date;
REVOKE EXECUTE ON FUNCTION period_start FROM PUBLIC;
GRANT EXECUTE ON FUNCTION period_start TO heliograph_api, heliograph_worker, heliograph_intake;

CREATE VIEW sending_limit_row WITH (security_invoker) AS
  SELECT l.*, c.name AS corporation_name, c.currency, u.name AS user_name, k.name AS api_key_name,
    s.sender_id AS sender_id_name,
    CASE WHEN l.kind = 'corporation' OR num_nonnulls(l.user_id, l.api_key_id, l.sender_id_id) > 0 THEN
      coalesce((SELECT x.used FROM sending_limit_use x WHERE x.limit_id = l.id
        AND x.starts_on = period_start(l.period, now(), c.timezone)
        AND x.subject = coalesce(l.user_id, l.api_key_id, l.sender_id_id, l.corporation_id)), 0) END AS used
  FROM sending_limit l JOIN corporation c ON c.id = l.corporation_id LEFT JOIN user_account u ON u.id = l.user_id
  LEFT JOIN api_key k ON k.id = l.api_key_id LEFT JOIN sender_id s ON s.id = l.sender_id_id;

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
BEGIN
  -- A limit of one person or key is seen by those who see that person or key.
  CREATE POLICY caller_sees ON sending_limit AS RESTRICTIVE TO heliograph_api USING (
    (user_id IS NULL OR (NOT (SELECT scope_is_user()) AND user_id IN (SELECT id FROM user_account)) OR user_id = (SELECT scope_user()))
    AND (api_key_id IS NULL OR api_key_id IN (SELECT id FROM api_key)));
  FOREACH t IN ARRAY ARRAY['sending_limit', 'sending_limit_use', 'campaign_limit_count'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, by_corporation);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON sending_limit, sending_limit_use, campaign_limit_count TO heliograph_api;
GRANT SELECT ON sending_limit_row TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON sending_limit_use, campaign_limit_count TO heliograph_worker;
GRANT SELECT ON sending_limit TO heliograph_worker, heliograph_intake;
GRANT SELECT, INSERT, UPDATE ON sending_limit_use TO heliograph_intake;
