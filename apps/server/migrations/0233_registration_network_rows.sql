-- A migration of its own: readers of the view wait for the table while this waits for it.
CREATE OR REPLACE VIEW sender_registration_row WITH (security_invoker) AS
  SELECT r.id, r.sender_id_id, s.sender_id AS sender_id_name, s.corporation_id, c.name AS corporation_name, r.link_id,
    k.name AS link_name, r.state, r.reference, r.registered_on, r.expires_on, r.reason, r.changed_at,
    u.name AS changed_by_name, r.created_at, r.network_ids,
    coalesce((SELECT string_agg(n.name || ' (' || n.country || ')', ', ' ORDER BY n.name, n.id) FROM network n
      WHERE n.id = ANY (r.network_ids)), '') AS networks
  FROM sender_registration r JOIN sender_id s ON s.id = r.sender_id_id JOIN corporation c ON c.id = s.corporation_id
  JOIN link k ON k.id = r.link_id LEFT JOIN user_account u ON u.id = r.changed_by;
