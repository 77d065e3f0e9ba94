-- Rights, people, second factors, the menu as its operator shapes it, and a log that proves itself.

CREATE FUNCTION caller_level() RETURNS integer LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.level', true), '')::integer;

-- People -------------------------------------------------------------------------------------------------------------

CREATE TABLE connection_type (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT connection_type_name_key UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO connection_type (name) VALUES ('WEB'), ('API'), ('SMPP');
GRANT SELECT, INSERT, UPDATE, DELETE ON connection_type TO heliograph_api;
GRANT SELECT ON connection_type TO heliograph_worker;

ALTER TABLE user_account
  ADD COLUMN permission_template text CHECK (permission_template IN
    ('super_admin', 'admin', 'reseller', 'corporate_admin', 'department_admin', 'corporate_user', 'read_only_user')),
  ADD COLUMN connection_type_id bigint REFERENCES connection_type,
  -- Somebody else chose the password: it opens nothing but its own renewal.
  ADD COLUMN must_change_password boolean NOT NULL DEFAULT false,
  DROP CONSTRAINT user_account_created_by_fkey,
  ADD CONSTRAINT user_account_created_by_fkey FOREIGN KEY (created_by) REFERENCES user_account ON DELETE SET NULL;
UPDATE user_account u SET permission_template = r.name FROM role r WHERE r.id = u.role_id
  AND r.name IN ('super_admin', 'admin', 'reseller', 'corporate_admin', 'department_admin', 'corporate_user', 'read_only_user');
CREATE INDEX user_account_role_id ON user_account (role_id);
CREATE INDEX user_account_landing_page ON user_account (landing_page);
CREATE INDEX user_supervisor_supervisor_id ON user_supervisor (supervisor_id);
CREATE INDEX user_permission_permission_id ON user_permission (permission_id);

-- Whether somebody approves for anybody, whom the caller may not see: it answers no more than that.
CREATE FUNCTION supervises(person bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN EXISTS (SELECT FROM user_supervisor WHERE supervisor_id = person);

-- A picture has an address nobody can guess, so that a browser can show it without a token.
CREATE TABLE user_image (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  key text NOT NULL CONSTRAINT user_image_key_key UNIQUE,
  type text NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  data bytea NOT NULL CHECK (length(data) < 2097152),
  created_at timestamptz NOT NULL DEFAULT now()
);

GRANT SELECT (locked_until, activated_at, created_by, permission_template, connection_type_id, password_changed_at)
  ON user_account TO heliograph_api;
-- A password's hash is written here and read by the sign-in alone.
GRANT INSERT (corporation_id, department_id, billing_account_id, name, email, phone, password_hash, role_id, scope_level,
  landing_page, preferred_language, enabled, otp, content_visible, skip_blacklist, skip_signature, skip_blackout,
  permission_template, connection_type_id, must_change_password, activated_at, created_by, created_at, updated_at)
  ON user_account TO heliograph_api;
GRANT UPDATE (corporation_id, department_id, billing_account_id, name, email, phone, password_hash, password_changed_at,
  must_change_password, role_id, scope_level, landing_page, preferred_language, enabled, otp, content_visible,
  skip_blacklist, skip_signature, skip_blackout, permission_template, connection_type_id, activated_at, updated_at,
  failed_sign_ins, first_failure_at, locked_until) ON user_account TO heliograph_api;
GRANT DELETE ON user_account TO heliograph_api;

-- Whatever a handler forgets: nobody makes, changes or removes a person above their own level, or raises anybody above it.
-- The owner is a member of the API's role, so these speak to it too: without a scope they say nothing, and the other
-- policies show the API nothing.
CREATE POLICY level_made ON user_account AS RESTRICTIVE FOR INSERT TO heliograph_api
  WITH CHECK ((SELECT caller_level()) IS NULL OR ((SELECT caller_level()) < 4 AND scope_level >= (SELECT caller_level())));
CREATE POLICY level_kept ON user_account AS RESTRICTIVE FOR UPDATE TO heliograph_api
  USING ((SELECT caller_level()) IS NULL OR id = (SELECT scope_user())
    OR ((SELECT caller_level()) < 4 AND scope_level >= (SELECT caller_level())))
  WITH CHECK ((SELECT caller_level()) IS NULL OR scope_level >= (SELECT caller_level()));
CREATE POLICY level_removed ON user_account AS RESTRICTIVE FOR DELETE TO heliograph_api
  USING ((SELECT caller_level()) IS NULL
    OR (id <> (SELECT scope_user()) AND (SELECT caller_level()) < 4 AND scope_level >= (SELECT caller_level())));

-- Rights -------------------------------------------------------------------------------------------------------------

-- Whether the caller holds a permission, by their role or directly. It looks behind row level security, at the caller alone.
CREATE FUNCTION caller_holds(wanted bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN EXISTS (SELECT FROM user_account u WHERE u.id = scope_user() AND (
  EXISTS (SELECT FROM role_permission p WHERE p.role_id = u.role_id AND p.permission_id = wanted)
  OR EXISTS (SELECT FROM user_permission p WHERE p.user_id = u.id AND p.permission_id = wanted)));

ALTER TABLE permission
  ADD COLUMN menu_id bigint REFERENCES menu ON DELETE SET NULL,
  -- One the program itself asks for: it keeps its name.
  ADD COLUMN built_in boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT permission_guard CHECK (guard IN ('api', 'web'));
ALTER TABLE role
  ADD COLUMN built_in boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT role_guard CHECK (guard IN ('api', 'web'));
CREATE INDEX permission_menu_id ON permission (menu_id);

-- A new permission belongs to the super admin, who holds everything, and to the role of who made it.
CREATE FUNCTION permission_finds_holders() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO role_permission (role_id, permission_id)
    SELECT r.id, NEW.id FROM role r
    WHERE r.name = 'super_admin' OR r.id = (SELECT u.role_id FROM user_account u WHERE u.id = scope_user())
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER permission_finds_holders AFTER INSERT ON permission
  FOR EACH ROW EXECUTE FUNCTION permission_finds_holders();

GRANT INSERT (name, guard, level), UPDATE (name, guard, level), DELETE ON role TO heliograph_api;
GRANT INSERT (name, guard, menu_id), UPDATE (name, guard, menu_id), DELETE ON permission TO heliograph_api;
GRANT INSERT, DELETE ON role_permission, user_permission, user_supervisor TO heliograph_api;

-- The menu -----------------------------------------------------------------------------------------------------------

ALTER TABLE menu
  -- Where the program put an entry at first, such as `reports/transactions`; null for those that people made.
  ADD COLUMN key text CONSTRAINT menu_key_key UNIQUE,
  -- Titles by language; null takes the program's own words for `title`.
  ADD COLUMN labels jsonb;
UPDATE menu m SET key = coalesce((SELECT p.title || '/' FROM menu p WHERE p.id = m.parent_id), '') || m.title;
-- Entries that were offered once: what an operator removed stays removed.
CREATE TABLE menu_offered (key text PRIMARY KEY);
INSERT INTO menu_offered (key) SELECT key FROM menu;
GRANT INSERT (parent_id, title, url, icon, permission, position, labels),
  UPDATE (parent_id, title, url, permission, position, labels), DELETE ON menu TO heliograph_api;

-- Second factors -----------------------------------------------------------------------------------------------------

ALTER TABLE session
  -- Why it ended where its person did not end it: such a session is told so.
  ADD COLUMN ended_because text CHECK (ended_because IN ('elsewhere', 'password', 'administrator'));

-- One wait for a second factor. The code is derived from the server's key and the id, so the table cannot tell it.
CREATE TABLE otp_challenge (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  method text NOT NULL CHECK (method IN ('otp', 'totp')),
  tries integer NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  sms_at timestamptz,
  mailed_at timestamptz
);
CREATE INDEX otp_challenge_session_id ON otp_challenge (session_id, created_at);
CREATE INDEX otp_challenge_user_id ON otp_challenge (user_id, created_at);

-- An authenticator app (RFC 6238). `last_step` is the newest step that was used: a code is good once.
CREATE TABLE user_totp (
  user_id bigint PRIMARY KEY REFERENCES user_account ON DELETE CASCADE,
  secret_sealed text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE recovery_code (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  digest bytea NOT NULL,
  used_at timestamptz,
  PRIMARY KEY (user_id, digest)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON otp_challenge, user_totp, recovery_code TO heliograph_auth;
GRANT SELECT ON otp_challenge TO heliograph_worker;
GRANT UPDATE (sms_at, mailed_at) ON otp_challenge TO heliograph_worker;
GRANT SELECT ON user_image, menu TO heliograph_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON user_image TO heliograph_api;
GRANT SELECT (id, user_id, verified, created_at, ended_at), UPDATE (ended_at, ended_because) ON session TO heliograph_api;
-- An administrator lifts a lost authenticator without ever seeing its secret.
GRANT SELECT (user_id, confirmed_at), DELETE ON user_totp TO heliograph_api;
GRANT SELECT (user_id), DELETE ON recovery_code TO heliograph_api;

-- The log ------------------------------------------------------------------------------------------------------------

ALTER TABLE activity_log DISABLE TRIGGER activity_log_append_only;
ALTER TABLE activity_log
  -- The place in the chain, without gaps: a missing entry shows by its number.
  ADD COLUMN position bigint NOT NULL DEFAULT 0,
  ALTER COLUMN hash SET DEFAULT '\x';

-- What an entry's hash covers beside the hash before it. `npm run verify-log` builds the same text on its own.
CREATE FUNCTION activity_text(a activity_log) RETURNS text LANGUAGE sql STABLE
RETURN jsonb_build_array(a.position, a.id, a.corporation_id, a.name, a.description, a.subject_type, a.subject_id,
  a.causer_type, a.causer_id, a.properties,
  to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text;

DO $$
DECLARE
  entry activity_log;
  place bigint := 0;
  last bytea;
BEGIN
  FOR entry IN SELECT * FROM activity_log ORDER BY id LOOP
    place := place + 1;
    entry.position := place;
    entry.previous_hash := last;
    last := sha256(coalesce(entry.previous_hash, '') || convert_to(activity_text(entry), 'UTF8'));
    UPDATE activity_log SET position = place, previous_hash = entry.previous_hash, hash = last WHERE id = entry.id;
  END LOOP;
END $$;
ALTER TABLE activity_log ADD CONSTRAINT activity_log_position_key UNIQUE (position);
ALTER TABLE activity_log ENABLE TRIGGER activity_log_append_only;
DROP FUNCTION last_activity_hash();

-- The chain is one, whoever writes; entries follow each other by a lock that ends with the transaction.
CREATE FUNCTION chain_activity() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE last record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('activity_log'));
  SELECT a.position, a.hash INTO last FROM activity_log a ORDER BY a.position DESC LIMIT 1;
  NEW.position := coalesce(last.position, 0) + 1;
  NEW.previous_hash := last.hash;
  NEW.hash := sha256(coalesce(NEW.previous_hash, '') || convert_to(activity_text(NEW), 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER activity_log_chain BEFORE INSERT ON activity_log FOR EACH ROW EXECUTE FUNCTION chain_activity();
CREATE INDEX activity_log_corporation_id ON activity_log (corporation_id, id);
CREATE INDEX activity_log_causer_id ON activity_log (causer_id, id);
CREATE INDEX activity_log_subject ON activity_log (subject_type, subject_id, id);

-- A department sees what its own people did, a user what they did themselves; nobody writes in another's name.
DROP POLICY caller ON activity_log;
CREATE POLICY caller ON activity_log TO heliograph_api
  USING (((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND ((SELECT scope_department()) IS NULL OR causer_id IN (SELECT id FROM user_account))
    AND (NOT (SELECT scope_is_user()) OR causer_id = (SELECT scope_user())))
  WITH CHECK (((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND causer_id = (SELECT scope_user()));

-- Rows as the contract shows them ------------------------------------------------------------------------------------

CREATE VIEW user_row WITH (security_invoker) AS
  SELECT u.id, u.name, u.email, u.phone, u.corporation_id, c.name AS corporation_name, u.department_id,
    d.name AS department_name, u.billing_account_id, b.name AS billing_account_name, u.preferred_language,
    u.permission_template, u.role_id, r.name AS role_name, u.scope_level, u.landing_page, u.connection_type_id,
    t.name AS connection_type_name, u.otp, u.content_visible, u.enabled, u.skip_blacklist, u.skip_signature,
    u.skip_blackout, coalesce(u.locked_until > now(), false) AS locked, u.activated_at, u.updated_at, u.created_at,
    o.name AS created_by_name, '/api/v1/user-images/' || i.key AS image_path, held.count AS permissions_count,
    held.count = (SELECT count(*) FROM permission) AS unlimited,
    coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', s.name) ORDER BY s.name, s.id)
      FROM user_supervisor x JOIN user_account s ON s.id = x.supervisor_id WHERE x.user_id = u.id), '[]') AS supervisors
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
CREATE VIEW role_row WITH (security_invoker) AS
  SELECT r.*, (SELECT count(*) FROM user_account u WHERE u.role_id = r.id) AS users_count,
    (SELECT count(*) FROM role_permission h WHERE h.role_id = r.id) AS permissions_count,
    (SELECT count(*) FROM role_permission h WHERE h.role_id = r.id) = (SELECT count(*) FROM permission) AS unlimited
  FROM role r;
CREATE VIEW permission_row WITH (security_invoker) AS
  SELECT p.*, m.title AS menu_title FROM permission p LEFT JOIN menu m ON m.id = p.menu_id;
CREATE VIEW menu_row WITH (security_invoker) AS
  SELECT m.*, m.key IS NOT NULL AS built_in, p.title AS parent_title FROM menu m LEFT JOIN menu p ON p.id = m.parent_id;
GRANT SELECT ON user_row, role_row, permission_row, menu_row TO heliograph_api;

-- Row level security: the second wall --------------------------------------------------------------------------------

DO $$
DECLARE
  t text;
  reads text;
  writes text;
  seen text := 'user_id IN (SELECT id FROM user_account)';
  own text := 'user_id = (SELECT scope_user())';
  platform text := '(SELECT scope_is_platform())';
BEGIN
  FOR t, reads, writes IN VALUES
    ('connection_type', 'true', platform),
    ('role', 'true', platform || ' AND level >= (SELECT caller_level())'),
    ('permission', 'true', platform),
    ('role_permission', 'true', platform || ' AND caller_holds(permission_id)'),
    ('menu', 'true', platform),
    ('user_permission', seen, seen || ' AND caller_holds(permission_id)'),
    ('user_supervisor', seen, seen || ' AND supervisor_id IN (SELECT id FROM user_account)'),
    ('user_image', seen, own),
    ('user_totp', seen, seen),
    ('recovery_code', seen, seen),
    ('session', seen, seen)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller_reads ON %I FOR SELECT TO heliograph_api USING (%s)', t, reads);
    EXECUTE format('CREATE POLICY caller_adds ON %I FOR INSERT TO heliograph_api WITH CHECK (%s)', t, writes);
    EXECUTE format('CREATE POLICY caller_changes ON %I FOR UPDATE TO heliograph_api USING (%s)', t, writes);
    EXECUTE format('CREATE POLICY caller_removes ON %I FOR DELETE TO heliograph_api USING (%s)', t, writes);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;
