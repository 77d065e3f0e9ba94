-- A migration of its own: readers of the view wait for the table while this waits for them.
CREATE OR REPLACE VIEW sender_id_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, s.sender_id, s.enabled, s.is_promotional, s.add_optout, s.optout_keyword, s.created_at,
    s.throughput, c.name AS corporation_name, s.withheld, s.state, s.purpose, s.expires_on, s.state_reason,
    s.requested_by, u.name AS requested_by_name, s.held_name, s.usable,
    false AS may_decide, -- the program answers it for its caller
    s.templates_only
  FROM sender_id s JOIN corporation c ON c.id = s.corporation_id
  LEFT JOIN user_account u ON u.id = s.requested_by;
