-- Fingerprint of the key that seals secrets: every process compares its own key with it. It reveals nothing of the key.
CREATE TABLE key_fingerprint (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  fingerprint text NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON key_fingerprint TO heliograph_api, heliograph_auth, heliograph_worker, heliograph_sender, heliograph_intake;

-- The newest sealed values of each kind, with the context that each is authenticated with.
CREATE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
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
  (SELECT 'user_totp.secret_sealed:' || user_id, secret_sealed FROM user_totp ORDER BY user_id DESC LIMIT 100);
END;

-- Records the fingerprint unless there is one, and answers the one that holds.
CREATE FUNCTION record_key_fingerprint(wanted text) RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO key_fingerprint (fingerprint) VALUES (wanted) ON CONFLICT DO NOTHING;
  RETURN (SELECT fingerprint FROM key_fingerprint);
END $$;

REVOKE EXECUTE ON FUNCTION sealed_values(), record_key_fingerprint(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sealed_values(), record_key_fingerprint(text) TO heliograph_worker, heliograph_sender;
