-- Accounts of programs. Each runs on a user that no person can use: ownership, audit and permissions stay those of users.
-- contract: demanded: constraint api_key.api_key_service_account_id_fkey FOREIGN KEY (service_account_id) REFERENCES service_account(id) ON DELETE CASCADE
ALTER TABLE user_account ADD COLUMN is_service boolean NOT NULL DEFAULT false;
GRANT SELECT (is_service) ON user_account TO heliograph_api;

CREATE TABLE service_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint REFERENCES department, -- null for the whole corporation
  billing_account_id bigint REFERENCES billing_account,
  user_id bigint NOT NULL UNIQUE REFERENCES user_account,
  name text NOT NULL,
  contact_email text NOT NULL, -- address that hears when keys end
  scopes text[] NOT NULL,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  read_national boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  created_by bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX service_account_name_key ON service_account (corporation_id, name_key(name));
CREATE INDEX service_account_department_id ON service_account (department_id);
CREATE INDEX service_account_billing_account_id ON service_account (billing_account_id);

-- Keys of an account. The scopes and addresses of the account hold for all of its keys.
ALTER TABLE api_key
  ADD COLUMN service_account_id bigint REFERENCES service_account ON DELETE CASCADE,
  ADD COLUMN last_day date, -- in the time zone of the corporation; the key works until the end of this day
  ADD COLUMN told_days smallint; -- the last of 14, 3 and 0 days before the last day of which somebody was told
CREATE INDEX api_key_service_account_id ON api_key (service_account_id);
CREATE INDEX api_key_last_day ON api_key (last_day) WHERE last_day IS NOT NULL AND revoked_at IS NULL;

-- The user of an account is made, changed and removed with it.
CREATE FUNCTION make_service_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.user_id IS NULL THEN
    INSERT INTO user_account (is_service, name, email, password_hash, role_id, scope_level, corporation_id, department_id,
      billing_account_id, enabled, content_visible, created_by)
    SELECT true, NEW.name, 'service-account-' || gen_random_uuid() || '@service.invalid', '!', r.id,
      CASE WHEN NEW.department_id IS NULL THEN 2 ELSE 3 END, NEW.corporation_id, NEW.department_id, NEW.billing_account_id, NEW.enabled,
      coalesce((SELECT m.content_visible FROM user_account m WHERE m.id = NEW.created_by), true), NEW.created_by
    FROM role r WHERE r.name = 'corporate_user' RETURNING id INTO NEW.user_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER service_account_made BEFORE INSERT ON service_account FOR EACH ROW EXECUTE FUNCTION make_service_user();

CREATE FUNCTION change_service_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE user_account SET name = NEW.name, billing_account_id = NEW.billing_account_id, enabled = NEW.enabled, updated_at = now()
  WHERE id = NEW.user_id AND is_service;
  RETURN NULL;
END $$;
CREATE TRIGGER service_account_changed AFTER UPDATE ON service_account FOR EACH ROW EXECUTE FUNCTION change_service_user();

CREATE FUNCTION remove_service_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  DELETE FROM user_account WHERE id = OLD.user_id AND is_service;
  RETURN NULL;
END $$;
CREATE TRIGGER service_account_removed AFTER DELETE ON service_account FOR EACH ROW EXECUTE FUNCTION remove_service_user();

-- Whatever a handler forgets: the user of a program gets no session and no means of sign-in.
CREATE FUNCTION refuse_service_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF EXISTS (SELECT FROM user_account WHERE id = NEW.user_id AND is_service) THEN
    RAISE EXCEPTION 'user % is a service account', NEW.user_id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['session', 'password_reset', 'passkey', 'user_totp', 'recovery_code', 'external_identity', 'directory_person',
    'directory_member', 'user_supervisor', 'user_permission'] LOOP
    EXECUTE format('CREATE TRIGGER %I BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION refuse_service_user()', t || '_of_person', t);
  END LOOP;
END $$;

-- Departments see their own accounts; a user sees none.
ALTER TABLE service_account ENABLE ROW LEVEL SECURITY;
ALTER TABLE service_account FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON service_account TO CURRENT_USER, heliograph_worker, heliograph_intake USING (true);
CREATE POLICY caller ON service_account TO heliograph_api
  USING (((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
    AND NOT (SELECT scope_is_user()));
GRANT SELECT, INSERT, UPDATE, DELETE ON service_account TO heliograph_api;
GRANT SELECT ON service_account TO heliograph_worker, heliograph_intake;
GRANT SELECT (service_account_id, last_day, told_days), UPDATE (last_day, told_days) ON api_key TO heliograph_api;
GRANT UPDATE (told_days) ON api_key TO heliograph_worker;

-- Rows as the contract shows them. People and their keys are listed without programs.
CREATE FUNCTION is_over(last_day date, corporation bigint) RETURNS boolean LANGUAGE sql STABLE
RETURN last_day < (now() AT TIME ZONE (SELECT timezone FROM corporation c WHERE c.id = corporation))::date;

CREATE OR REPLACE VIEW api_key_row WITH (security_invoker) AS
  SELECT k.id, k.corporation_id, c.name AS corporation_name, k.user_id, u.name AS user_name, k.name, k.mode, NULL::text AS key, k.prefix,
    k.previous_prefix, CASE WHEN k.previous_until > now() THEN k.previous_until END AS previous_until, k.scopes,
    k.allowed_ips, k.last_used_at, k.last_used_ip, k.rotated_at, k.revoked_at, k.created_at, k.read_national, k.last_day,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN is_over(k.last_day, k.corporation_id) THEN 'ended' ELSE 'valid' END AS state
  FROM api_key k JOIN corporation c ON c.id = k.corporation_id JOIN user_account u ON u.id = k.user_id
  WHERE k.service_account_id IS NULL;

CREATE VIEW service_account_key_row WITH (security_invoker) AS
  SELECT k.id, k.service_account_id, s.name AS service_account_name, k.corporation_id, c.name AS corporation_name, k.name, k.mode,
    NULL::text AS key, k.prefix, k.last_day, k.last_used_at, k.last_used_ip, k.revoked_at, k.created_at, m.name AS created_by_name,
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN is_over(k.last_day, k.corporation_id) THEN 'ended' ELSE 'valid' END AS state
  FROM api_key k JOIN service_account s ON s.id = k.service_account_id JOIN corporation c ON c.id = k.corporation_id
  LEFT JOIN user_account m ON m.id = k.created_by;

CREATE VIEW service_account_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.department_id, d.name AS department_name, s.billing_account_id,
    b.name AS billing_account_name, s.name, s.contact_email, s.scopes, s.allowed_ips, s.read_national, s.enabled, s.created_at,
    m.name AS created_by_name, k.keys, k.ends_next, k.last_used_at, k.last_used_ip
  FROM service_account s JOIN corporation c ON c.id = s.corporation_id LEFT JOIN department d ON d.id = s.department_id
  LEFT JOIN billing_account b ON b.id = s.billing_account_id LEFT JOIN user_account m ON m.id = s.created_by
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE works) AS keys, min(last_day) FILTER (WHERE works) AS ends_next, max(last_used_at) AS last_used_at,
      (array_agg(last_used_ip ORDER BY last_used_at DESC NULLS LAST))[1] AS last_used_ip
    FROM (SELECT *, revoked_at IS NULL AND NOT coalesce(is_over(last_day, corporation_id), false) AS works
      FROM (SELECT corporation_id, last_day, last_used_at, last_used_ip, revoked_at FROM api_key WHERE service_account_id = s.id) a) a) k;
GRANT SELECT ON service_account_key_row, service_account_row TO heliograph_api;

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
  LEFT JOIN user_image i ON i.user_id = u.id
  WHERE NOT u.is_service;
CREATE OR REPLACE VIEW role_row WITH (security_invoker) AS
  SELECT r.*, (SELECT count(*) FROM user_account u WHERE u.role_id = r.id AND NOT u.is_service) AS users_count,
    (SELECT count(*) FROM role_permission h WHERE h.role_id = r.id) AS permissions_count,
    (SELECT count(*) FROM role_permission h WHERE h.role_id = r.id) = (SELECT count(*) FROM permission) AS unlimited
  FROM role r;
