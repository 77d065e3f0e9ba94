-- A rule may be about the numbers of one network; null: any.
ALTER TABLE moderation_rule ADD COLUMN network_id bigint REFERENCES network;
CREATE INDEX moderation_rule_network_id ON moderation_rule (network_id) WHERE network_id IS NOT NULL;
CREATE OR REPLACE VIEW moderation_rule_row WITH (security_invoker) AS
  SELECT r.id, r.name, r.action, r.traffic, r.corporation_id, r.sender, r.words, r.web_address, r.min_messages, r.new_days,
    r.enabled, r.created_at, c.name AS corporation_name, r.network_id, n.label AS network_name
  FROM moderation_rule r LEFT JOIN corporation c ON c.id = r.corporation_id LEFT JOIN network_row n ON n.id = r.network_id;
