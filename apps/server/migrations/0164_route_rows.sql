-- Rows of routes with their strategy and the hours of their links.
CREATE OR REPLACE VIEW carrier_route_row WITH (security_invoker) AS
  SELECT r.id, r.name, r.corporation_id, r.reseller_id, r.sender_id, r.class, r.prefix, r.enabled, r.created_at,
    c.name AS corporation_name, s.name AS reseller_name,
    (SELECT coalesce(json_agg(json_build_object('link_id', l.link_id, 'link_name', k.name, 'position', l.position,
        'weight', l.weight, 'from_time', l.from_time, 'until_time', l.until_time) ORDER BY l.position, l.link_id), '[]')
      FROM carrier_route_link l JOIN link k ON k.id = l.link_id WHERE l.carrier_route_id = r.id) AS links,
    r.network_id, n.label AS network_name, r.strategy, r.quality_floor, r.avoid_declined
  FROM carrier_route r LEFT JOIN corporation c ON c.id = r.corporation_id LEFT JOIN corporation s ON s.id = r.reseller_id
  LEFT JOIN network_row n ON n.id = r.network_id;
