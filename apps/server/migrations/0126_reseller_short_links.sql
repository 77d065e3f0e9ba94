-- The host of its short links is part of a reseller's record.
CREATE OR REPLACE VIEW reseller_row WITH (security_invoker) AS
  SELECT r.id, r.corporation_id, c.name AS corporation_name, c.enabled, r.app_name, r.base_url, r.host, r.theme_color,
    r.email_address, r.mail_server, r.mail_port, r.mail_security, r.mail_user, r.mail_credentials_set_at, r.created_at,
    (SELECT count(*) FROM corporation o WHERE o.reseller_id = r.corporation_id) AS corporations_count,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'logo') AS logo_path,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'login_logo') AS login_logo_path,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'favicon') AS favicon_path,
    -- Its SMSC is the link of its carrier route without further conditions; only the administration sees routes.
    l.link_id, k.name AS link_name, r.decides_senders, r.short_link_host
  FROM reseller r
  JOIN corporation c ON c.id = r.corporation_id
  LEFT JOIN carrier_route t ON t.reseller_id = r.corporation_id AND t.corporation_id IS NULL AND t.sender_id IS NULL
    AND t.class IS NULL AND t.prefix = ''
  LEFT JOIN LATERAL (SELECT link_id FROM carrier_route_link WHERE carrier_route_id = t.id ORDER BY position, link_id LIMIT 1) l ON true
  LEFT JOIN link k ON k.id = l.link_id;
