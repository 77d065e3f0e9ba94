-- Right to see the numbers of recipients and repliers. A person without it sees them masked.
ALTER TABLE user_account ADD COLUMN numbers_visible boolean NOT NULL DEFAULT true;
GRANT SELECT (numbers_visible), INSERT (numbers_visible), UPDATE (numbers_visible) ON user_account TO heliograph_api;
-- Whether a written file may hold whole numbers: as its person could see them when they asked.
ALTER TABLE task ADD COLUMN numbers_visible boolean NOT NULL DEFAULT true;
-- Whether files for a customer's server hold whole numbers.
ALTER TABLE scheduled_file ADD COLUMN numbers boolean NOT NULL DEFAULT true;

-- The user of a service account reads no number that the person who made the account may not read.
CREATE OR REPLACE FUNCTION make_service_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.user_id IS NULL THEN
    INSERT INTO user_account (is_service, name, email, password_hash, role_id, scope_level, corporation_id, department_id,
      billing_account_id, enabled, content_visible, numbers_visible, created_by)
    SELECT true, NEW.name, 'service-account-' || gen_random_uuid() || '@service.invalid', '!', r.id,
      CASE WHEN NEW.department_id IS NULL THEN 2 ELSE 3 END, NEW.corporation_id, NEW.department_id, NEW.billing_account_id, NEW.enabled,
      coalesce((SELECT m.content_visible FROM user_account m WHERE m.id = NEW.created_by), true),
      coalesce((SELECT m.numbers_visible FROM user_account m WHERE m.id = NEW.created_by), true), NEW.created_by
    FROM role r WHERE r.name = 'corporate_user' RETURNING id INTO NEW.user_id;
  END IF;
  RETURN NEW;
END $$;

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
    u.invited_at, u.numbers_visible
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
  LEFT JOIN user_image i ON i.user_id = u.id
  WHERE NOT u.is_service;
CREATE OR REPLACE VIEW scheduled_file_row WITH (security_invoker) AS
  SELECT f.id, f.corporation_id, c.name AS corporation_name, f.name, f.enabled, f.every, f.wait_hours, f.texts, f.destination,
    f.host, f.port, f.host_key, f.endpoint, f.region, f.bucket, f.folder, f.username, f.secret_sealed IS NOT NULL AS has_secret,
    f.private_key_sealed IS NOT NULL AS has_private_key, f.covered_until, f.failing_since, f.created_at,
    (SELECT max(r.period_end) FROM scheduled_file_run r WHERE r.scheduled_file_id = f.id AND r.state = 'sent') AS sent_until,
    f.numbers
  FROM scheduled_file f LEFT JOIN corporation c ON c.id = f.corporation_id;
