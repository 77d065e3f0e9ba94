-- contract: demanded: constraint corporation.corporation_web_links_check CHECK ((web_links = ANY (ARRAY['off'::text, 'shadow'::text, 'enforced'::text])))
-- Rules that hold texts for a decision, or let them pass. All conditions of a rule must fit.
CREATE TABLE moderation_rule (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  action text NOT NULL DEFAULT 'hold' CHECK (action IN ('hold', 'pass')),
  traffic text NOT NULL DEFAULT 'all' CHECK (traffic IN ('all', 'campaigns', 'programs')),
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null: any
  sender text, -- null: any
  words text[] NOT NULL DEFAULT '{}',
  web_address boolean NOT NULL DEFAULT false,
  min_messages integer CHECK (min_messages > 0),
  new_days integer CHECK (new_days > 0),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX moderation_rule_name_key ON moderation_rule (name_key(name));
CREATE INDEX moderation_rule_corporation_id ON moderation_rule (corporation_id) WHERE corporation_id IS NOT NULL;
CREATE VIEW moderation_rule_row WITH (security_invoker) AS
  SELECT r.*, c.name AS corporation_name FROM moderation_rule r LEFT JOIN corporation c ON c.id = r.corporation_id;

-- Campaigns and chunks of programs' messages that wait for a decision, or waited. A chunk waits in the state `held`
-- without a time, so that nothing opens it by the clock.
CREATE TABLE moderation_item (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  department_id bigint REFERENCES department ON DELETE SET NULL,
  user_id bigint REFERENCES user_account ON DELETE SET NULL,
  sender_id text NOT NULL,
  rule_id bigint NOT NULL, -- without a reference: rules may be deleted
  rule_name text NOT NULL,
  messages integer NOT NULL,
  samples text[] NOT NULL, -- without the digits of numbers
  campaign_id bigint REFERENCES campaign ON DELETE CASCADE,
  chunk_id bigint, -- without a reference: messages are removed by days
  not_before timestamptz, -- of a chunk: the time that the program asked for
  expires_at timestamptz, -- of a chunk: its messages expire then, at the latest
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected', 'withdrawn')),
  reason text,
  decided_by bigint REFERENCES user_account ON DELETE SET NULL,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((campaign_id IS NULL) <> (chunk_id IS NULL))
);
CREATE INDEX moderation_item_waiting ON moderation_item (id) WHERE state = 'waiting';
CREATE INDEX moderation_item_campaign_id ON moderation_item (campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX moderation_item_chunk_id ON moderation_item (chunk_id) WHERE chunk_id IS NOT NULL;
CREATE INDEX moderation_item_ends ON moderation_item (expires_at)
  WHERE chunk_id IS NOT NULL AND state IN ('waiting', 'rejected');
CREATE INDEX moderation_item_corporation_id ON moderation_item (corporation_id, id);
CREATE INDEX moderation_item_department_id ON moderation_item (department_id) WHERE department_id IS NOT NULL;
CREATE INDEX moderation_item_user_id ON moderation_item (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX moderation_item_decided_by ON moderation_item (decided_by) WHERE decided_by IS NOT NULL;

-- What ended before a decision, such as a campaign that its owner stopped, does not wait any more.
CREATE VIEW moderation_item_row WITH (security_invoker) AS
  SELECT i.id, i.created_at, i.corporation_id, o.name AS corporation_name, i.sender_id, i.campaign_id,
    c.name AS campaign_name, i.rule_name, i.messages, i.samples, coalesce(i.expires_at, c.expires_at) AS expires_at,
    i.reason, u.name AS decided_by_name, i.decided_at,
    CASE WHEN i.state = 'waiting' AND NOT coalesce(
        c.state IN ('preparing', 'scheduled', 'running', 'paused'),
        EXISTS (SELECT FROM chunk k WHERE k.id = i.chunk_id AND k.state = 'held'))
      THEN 'withdrawn' ELSE i.state END AS state
  FROM moderation_item i JOIN corporation o ON o.id = i.corporation_id LEFT JOIN campaign c ON c.id = i.campaign_id
  LEFT JOIN user_account u ON u.id = i.decided_by;

ALTER TABLE moderation_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE moderation_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON moderation_rule TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON moderation_rule TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
ALTER TABLE moderation_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE moderation_item FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON moderation_item FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller_decides ON moderation_item FOR UPDATE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON moderation_item TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON moderation_rule TO heliograph_api;
GRANT SELECT, UPDATE ON moderation_item TO heliograph_api;
GRANT SELECT ON moderation_rule_row, moderation_item_row TO heliograph_api, heliograph_worker;
GRANT SELECT ON moderation_rule TO heliograph_worker, heliograph_sender, heliograph_intake;
GRANT SELECT, INSERT, UPDATE ON moderation_item TO heliograph_worker, heliograph_sender;
GRANT SELECT, INSERT ON moderation_item TO heliograph_intake;
GRANT USAGE ON SEQUENCE moderation_rule_id_seq TO heliograph_api;
GRANT USAGE ON SEQUENCE moderation_item_id_seq TO heliograph_worker, heliograph_intake;
