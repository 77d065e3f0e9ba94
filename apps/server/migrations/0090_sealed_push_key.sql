-- The key for push services is sealed too, so it says whether a process has the right key.
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
  (SELECT 'push_key.private_key_sealed', private_key_sealed FROM push_key);
END;
