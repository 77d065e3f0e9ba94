-- Time of the invitation of a person who has not chosen a password yet; null for everybody else.
ALTER TABLE user_account ADD COLUMN invited_at timestamptz;
GRANT SELECT (invited_at), INSERT (invited_at), UPDATE (invited_at) ON user_account TO heliograph_api;
CREATE OR REPLACE VIEW user_row WITH (security_invoker) AS
  SELECT u.id, u.name, u.email, u.phone, u.corporation_id, c.name AS corporation_name, u.department_id,
    d.name AS department_name, u.billing_account_id, b.name AS billing_account_name, u.preferred_language,
    u.permission_template, u.role_id, r.name AS role_name, u.scope_level, u.landing_page, u.connection_type_id,
    t.name AS connection_type_name, u.otp, u.content_visible, u.enabled, u.skip_blacklist, u.skip_signature,
    u.skip_blackout, coalesce(u.locked_until > now(), false) AS locked, u.activated_at, u.updated_at, u.created_at,
    o.name AS created_by_name, '/api/v1/user-images/' || i.key AS image_path, held.count AS permissions_count,
    held.count = (SELECT count(*) FROM permission) AS unlimited,
    coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', s.name) ORDER BY s.name, s.id)
      FROM user_supervisor x JOIN user_account s ON s.id = x.supervisor_id WHERE x.user_id = u.id), '[]') AS supervisors,
    u.invited_at
  FROM user_account u
  CROSS JOIN LATERAL (SELECT count(*) FROM permission p WHERE EXISTS (
      SELECT FROM role_permission h WHERE h.role_id = u.role_id AND h.permission_id = p.id)
    OR EXISTS (SELECT FROM user_permission h WHERE h.user_id = u.id AND h.permission_id = p.id)) held
  JOIN role r ON r.id = u.role_id
  LEFT JOIN corporation c ON c.id = u.corporation_id
  LEFT JOIN department d ON d.id = u.department_id
  LEFT JOIN billing_account b ON b.id = u.billing_account_id
  LEFT JOIN connection_type t ON t.id = u.connection_type_id
  LEFT JOIN user_account o ON o.id = u.created_by
  LEFT JOIN user_image i ON i.user_id = u.id;
