-- Identity providers of SAML 2.0: their name, their address, the certificates with which they sign, and our own key.
ALTER TABLE identity_provider
  ADD COLUMN entity_id text,
  ADD COLUMN sso_url text,
  ADD COLUMN certificates text,
  ADD COLUMN signs_requests boolean NOT NULL DEFAULT false,
  ADD COLUMN email_attribute text NOT NULL DEFAULT 'email',
  ADD COLUMN name_attribute text NOT NULL DEFAULT 'displayName',
  -- Signs our requests, and opens encrypted assertions.
  ADD COLUMN own_key_sealed text,
  ADD COLUMN own_certificate text;

CREATE OR REPLACE VIEW identity_provider_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.name, p.protocol, p.issuer, p.client_id, p.scopes, p.groups_claim,
    p.trusts_emails, p.creates_users, p.follows_groups, p.role_id, r.name AS role_name, p.department_id, d.name AS department_name,
    p.role_rules, p.enabled, p.enforced, p.break_glass_ids, p.last_sign_in_at, p.last_fault, p.last_fault_at, p.created_at,
    p.client_secret_sealed IS NOT NULL AS has_client_secret,
    ARRAY(SELECT i.domain FROM identity_domain i WHERE i.identity_provider_id = p.id ORDER BY i.domain) AS domains,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('domain', i.domain, 'record', '_sso-proof.' || i.domain,
      'value', 'sso-proof=' || i.token, 'proved', i.proved_at IS NOT NULL) ORDER BY i.domain), '[]')
      FROM identity_domain i WHERE i.identity_provider_id = p.id) AS proofs,
    (SELECT count(*) FROM external_identity e WHERE e.identity_provider_id = p.id) AS people,
    p.entity_id, p.sso_url, p.certificates, p.signs_requests, p.email_attribute, p.name_attribute
  FROM identity_provider p LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN role r ON r.id = p.role_id
  LEFT JOIN department d ON d.id = p.department_id;

-- Our keys are sealed too, so they say whether a process has the right key.
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
  (SELECT 'identity_provider.own_key.' || id, own_key_sealed FROM identity_provider WHERE own_key_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'push_key.private_key_sealed', private_key_sealed FROM push_key);
END;
