-- contract: demanded: constraint session.session_way_check CHECK ((way = ANY (ARRAY['password'::text, 'passkey'::text, 'oidc'::text, 'saml'::text, 'emergency'::text])))
-- Identity providers: services of a company that sign its people in. Those without a corporation are for the platform's own
-- people; the others for the people of their corporation only.
CREATE TABLE identity_provider (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  key uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE, -- in the addresses that the provider gets
  name text NOT NULL,
  protocol text NOT NULL DEFAULT 'oidc' CHECK (protocol IN ('oidc', 'saml')),
  issuer text,
  client_id text,
  client_secret_sealed text,
  scopes text NOT NULL DEFAULT 'openid email profile',
  groups_claim text NOT NULL DEFAULT 'groups',
  -- Whether emails count as verified if the provider does not say.
  trusts_emails boolean NOT NULL DEFAULT false,
  -- Whether people get their account with their first sign-in, and their role with every one.
  creates_users boolean NOT NULL DEFAULT false,
  follows_groups boolean NOT NULL DEFAULT false,
  -- Role of people without a rule.
  role_id bigint REFERENCES role ON DELETE SET NULL,
  department_id bigint REFERENCES department ON DELETE SET NULL,
  role_rules jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(role_rules) = 'array'),
  enabled boolean NOT NULL DEFAULT true,
  enforced boolean NOT NULL DEFAULT false,
  -- People who may sign in with password and second factor although the provider is required.
  break_glass_ids bigint[] NOT NULL DEFAULT '{}',
  last_sign_in_at timestamptz,
  last_fault text CHECK (length(last_fault) <= 200),
  last_fault_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX identity_provider_name_key ON identity_provider (corporation_id, name_key(name)) NULLS NOT DISTINCT;

-- Domains of email addresses whose people a provider signs in, once a record in the DNS proves them.
CREATE TABLE identity_domain (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity_provider_id bigint NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain = lower(domain)),
  token text NOT NULL DEFAULT replace(gen_random_uuid()::text, '-', ''),
  proved_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identity_domain_domain_key UNIQUE (identity_provider_id, domain)
);
-- Only who can write the domain's DNS gets here, so this tells no stranger anything.
CREATE UNIQUE INDEX identity_domain_proved_key ON identity_domain (domain) WHERE proved_at IS NOT NULL;

-- A person as a provider knows them: its subject never changes, emails may.
CREATE TABLE external_identity (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity_provider_id bigint NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  subject text NOT NULL CHECK (length(subject) BETWEEN 1 AND 1024),
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  CONSTRAINT external_identity_subject_key UNIQUE (identity_provider_id, subject),
  CONSTRAINT external_identity_user_id_key UNIQUE (identity_provider_id, user_id)
);
CREATE INDEX external_identity_user_id ON external_identity (user_id);

-- Sessions that a provider began, so that it can end them.
CREATE TABLE provider_session (
  session_id uuid PRIMARY KEY REFERENCES session ON DELETE CASCADE,
  identity_provider_id bigint NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  subject text NOT NULL,
  name text -- the provider's own name of its session (`sid`)
);
CREATE INDEX provider_session_subject ON provider_session (identity_provider_id, subject);
CREATE INDEX provider_session_name ON provider_session (identity_provider_id, name);

-- Digests of answers of providers that were used: each may be used once.
CREATE TABLE provider_answer (
  digest bytea PRIMARY KEY,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX provider_answer_used_at ON provider_answer (used_at);

-- How the person came in; `emergency` is a password although a provider is required.
ALTER TABLE session ADD COLUMN way text NOT NULL DEFAULT 'password'
  CHECK (way IN ('password', 'passkey', 'oidc', 'saml', 'emergency'));

CREATE VIEW identity_provider_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.name, p.protocol, p.issuer, p.client_id, p.scopes, p.groups_claim,
    p.trusts_emails, p.creates_users, p.follows_groups, p.role_id, r.name AS role_name, p.department_id, d.name AS department_name,
    p.role_rules, p.enabled, p.enforced, p.break_glass_ids, p.last_sign_in_at, p.last_fault, p.last_fault_at, p.created_at,
    p.client_secret_sealed IS NOT NULL AS has_client_secret,
    ARRAY(SELECT i.domain FROM identity_domain i WHERE i.identity_provider_id = p.id ORDER BY i.domain) AS domains,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('domain', i.domain, 'record', '_sso-proof.' || i.domain,
      'value', 'sso-proof=' || i.token, 'proved', i.proved_at IS NOT NULL) ORDER BY i.domain), '[]')
      FROM identity_domain i WHERE i.identity_provider_id = p.id) AS proofs,
    (SELECT count(*) FROM external_identity e WHERE e.identity_provider_id = p.id) AS people
  FROM identity_provider p LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN role r ON r.id = p.role_id
  LEFT JOIN department d ON d.id = p.department_id;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['identity_provider', 'identity_domain', 'external_identity', 'provider_session', 'provider_answer'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
-- A provider signs in everybody of its corporation, so nobody below the whole corporation sees it.
CREATE POLICY caller ON identity_provider TO heliograph_api USING ((SELECT scope_is_platform())
  OR ((SELECT scope_is_corporation()) AND corporation_id = ANY ((SELECT scope_corporations())::bigint[])));
CREATE POLICY caller ON identity_domain TO heliograph_api
  USING (identity_provider_id IN (SELECT id FROM identity_provider));
CREATE POLICY caller ON external_identity TO heliograph_api
  USING (user_id IN (SELECT id FROM user_account));

GRANT SELECT, INSERT, UPDATE, DELETE ON identity_provider, identity_domain TO heliograph_api;
GRANT SELECT (id, identity_provider_id, user_id), DELETE ON external_identity TO heliograph_api;
GRANT SELECT ON identity_provider_row TO heliograph_api;
GRANT SELECT, UPDATE (last_sign_in_at, last_fault, last_fault_at) ON identity_provider TO heliograph_auth;
GRANT SELECT ON identity_domain TO heliograph_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON external_identity, provider_session TO heliograph_auth;
GRANT INSERT ON provider_answer TO heliograph_auth;
GRANT SELECT, DELETE ON provider_answer TO heliograph_worker;
GRANT SELECT ON identity_provider, identity_domain TO heliograph_worker;
GRANT SELECT (id, user_id, ip, created_at) ON session TO heliograph_worker;
-- People who come in for the first time get their account from the sign-in, and their role follows their groups.
GRANT INSERT ON user_account TO heliograph_auth;
GRANT DELETE ON user_permission, user_supervisor TO heliograph_auth;

-- The secrets of our registrations at providers are sealed too, so they say whether a process has the right key.
CREATE OR REPLACE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT 'link.password_sealed:' || id, password_sealed FROM link WHERE password_sealed <> '' ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'routing.password_sealed.' || id, password_sealed FROM routing WHERE password_sealed IS NOT NULL ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'reseller.email_password_sealed:' || id, email_password_sealed FROM reseller WHERE email_password_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'callback_secret.sealed.' || callback_endpoint_id, sealed FROM callback_secret ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'user_totp.secret_sealed:' || user_id, secret_sealed FROM user_totp ORDER BY user_id DESC LIMIT 100)
  UNION ALL
  (SELECT 'number_source.authorization.' || id, authorization_sealed FROM number_source WHERE authorization_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'merchant_account.secret_key.' || id, secret_key_sealed FROM merchant_account WHERE secret_key_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'merchant_account.webhook_secret.' || id, webhook_secret_sealed FROM merchant_account WHERE webhook_secret_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'identity_provider.client_secret.' || id, client_secret_sealed FROM identity_provider WHERE client_secret_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'push_key.private_key_sealed', private_key_sealed FROM push_key);
END;
