-- Resellers: what a corporation that is one shows to its customers, and the server their mails go out by.

CREATE TABLE reseller (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL CONSTRAINT reseller_corporation_id_key UNIQUE REFERENCES corporation,
  app_name text, -- null: the corporation's name
  -- Scheme, host and port alone; the host decides whose look a browser is shown.
  base_url text CHECK (base_url ~ '^https?://[a-z0-9.-]+(:\d+)?$'),
  host text GENERATED ALWAYS AS (substring(base_url FROM '^https?://([a-z0-9.-]+)')) STORED
    CONSTRAINT reseller_host_key UNIQUE,
  theme_color text CHECK (theme_color ~ '^#[0-9a-f]{6}$'),
  email_address text,
  mail_server text,
  mail_port integer CHECK (mail_port BETWEEN 1 AND 65535),
  mail_security text NOT NULL DEFAULT 'starttls' CHECK (mail_security IN ('starttls', 'tls', 'none')),
  mail_user text, -- null: the address
  email_password_sealed text,
  mail_credentials_set_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT reseller_mail_whole CHECK (num_nulls(email_address, mail_server, mail_port) IN (0, 3))
);
INSERT INTO reseller (corporation_id) SELECT id FROM corporation WHERE is_reseller;

-- A picture's address changes with the picture, so that it may be kept for ever, and cannot be guessed.
CREATE TABLE reseller_image (
  reseller_id bigint NOT NULL REFERENCES reseller ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('logo', 'login_logo', 'favicon')),
  key text NOT NULL CONSTRAINT reseller_image_key_key UNIQUE,
  type text NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  data bytea NOT NULL CHECK (length(data) < 1048576),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (reseller_id, kind)
);

-- A reseller belongs to no other.
ALTER TABLE corporation ADD CONSTRAINT corporation_reseller_alone CHECK (NOT is_reseller OR reseller_id IS NULL);

CREATE VIEW reseller_row WITH (security_invoker) AS
  SELECT r.id, r.corporation_id, c.name AS corporation_name, c.enabled, r.app_name, r.base_url, r.host, r.theme_color,
    r.email_address, r.mail_server, r.mail_port, r.mail_security, r.mail_user, r.mail_credentials_set_at, r.created_at,
    (SELECT count(*) FROM corporation o WHERE o.reseller_id = r.corporation_id) AS corporations_count,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'logo') AS logo_path,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'login_logo') AS login_logo_path,
    (SELECT '/api/v1/team-images/' || key FROM reseller_image i WHERE i.reseller_id = r.id AND kind = 'favicon') AS favicon_path,
    -- Its SMSC is the link of its carrier route without further conditions; only the administration sees routes.
    l.link_id, k.name AS link_name
  FROM reseller r
  JOIN corporation c ON c.id = r.corporation_id
  LEFT JOIN carrier_route t ON t.reseller_id = r.corporation_id AND t.corporation_id IS NULL AND t.sender_id IS NULL
    AND t.class IS NULL AND t.prefix = ''
  LEFT JOIN LATERAL (SELECT link_id FROM carrier_route_link WHERE carrier_route_id = t.id ORDER BY position, link_id LIMIT 1) l ON true
  LEFT JOIN link k ON k.id = l.link_id;

-- The sealed password, for the test mail of whoever may change it.
CREATE FUNCTION reseller_password_sealed(wanted bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN (SELECT email_password_sealed FROM reseller WHERE id = wanted AND (scope_is_platform()
    OR (scope_is_corporation() AND corporation_id = ANY (scope_corporations()))));
REVOKE EXECUTE ON FUNCTION reseller_password_sealed(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reseller_password_sealed(bigint) TO heliograph_api;

-- A reseller's own corporation changes its settings; who is one is the administration's word.
DO $$
DECLARE
  t text;
  seen text;
  owned text := '((SELECT scope_is_platform()) OR ((SELECT scope_is_corporation())
    AND corporation_id = ANY ((SELECT scope_corporations())::bigint[])))';
BEGIN
  FOR t, seen IN VALUES ('reseller', owned), ('reseller_image', 'reseller_id IN (SELECT id FROM reseller)') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, seen);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;
CREATE POLICY platform_adds ON reseller AS RESTRICTIVE FOR INSERT TO heliograph_api
  WITH CHECK ((SELECT caller_level()) IS NULL OR (SELECT scope_is_platform()));
CREATE POLICY platform_removes ON reseller AS RESTRICTIVE FOR DELETE TO heliograph_api
  USING ((SELECT caller_level()) IS NULL OR (SELECT scope_is_platform()));

GRANT SELECT (id, corporation_id, app_name, base_url, host, theme_color, email_address, mail_server, mail_port,
  mail_security, mail_user, mail_credentials_set_at, created_at),
  INSERT (corporation_id, app_name, base_url, theme_color, email_address, mail_server, mail_port, mail_security, mail_user,
  email_password_sealed, mail_credentials_set_at),
  UPDATE (app_name, base_url, theme_color, email_address, mail_server, mail_port, mail_security, mail_user,
  email_password_sealed, mail_credentials_set_at), DELETE ON reseller TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON reseller_image TO heliograph_api;
GRANT SELECT ON reseller_row TO heliograph_api;
-- Sign-in pages show its look, and mails to its customers go out by its server.
GRANT SELECT ON reseller, reseller_image TO heliograph_auth;
GRANT SELECT ON reseller TO heliograph_worker;
