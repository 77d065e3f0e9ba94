-- The view stands apart from its table: a reader of one may wait for the other.
DROP VIEW billing_account_row;
CREATE VIEW billing_account_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, c.currency, p.name AS price_plan_name
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id JOIN price_plan p ON p.id = b.price_plan_id;
GRANT SELECT ON billing_account_row TO heliograph_api, heliograph_worker;

-- Strictest hold of an account and of the reseller's account that pays for its traffic.
CREATE FUNCTION sending_hold(account_id bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT CASE max(CASE h.hold WHEN 'all' THEN 2 WHEN 'bulk' THEN 1 ELSE 0 END) WHEN 2 THEN 'all' WHEN 1 THEN 'bulk' ELSE 'none' END
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
  JOIN billing_account h ON h.id = b.id
    OR h.id = (SELECT min(r.id) FROM billing_account r WHERE r.corporation_id = c.reseller_id AND r.enabled)
  WHERE b.id = account_id
$$;
-- Accounts that pay for messages, locked: what they can spend, and their hold.
CREATE FUNCTION lock_funds(account_ids bigint[]) RETURNS TABLE (id bigint, available bigint, usable boolean, hold text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public AS $$
  SELECT b.id, b.credit_balance + b.credit_limit, b.enabled AND NOT b.suspended, b.hold
  FROM billing_account b WHERE b.id = ANY (account_ids) ORDER BY b.id FOR NO KEY UPDATE
$$;
REVOKE EXECUTE ON FUNCTION sending_hold, lock_funds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sending_hold TO heliograph_api, heliograph_worker;
GRANT EXECUTE ON FUNCTION lock_funds TO heliograph_intake;
