-- A seller closes a month: entries of its accounts before `closed_until` cannot be written any more (0191). Everything that
-- comes later is an entry of the open month.
ALTER TABLE billing_account ADD COLUMN closed_until timestamptz;

CREATE TABLE closed_month (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint, -- the reseller that closed it; null for the platform; without a reference, as a lock of two tables
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  checks jsonb NOT NULL, -- the list as it was
  closed_at timestamptz NOT NULL DEFAULT now(),
  closed_by bigint,
  reopen_note text CHECK (length(reopen_note) <= 200),
  reopen_asked_at timestamptz,
  reopen_asked_by bigint,
  reopened_at timestamptz,
  reopened_by bigint,
  -- Two people of the platform open a month again.
  CONSTRAINT closed_month_two_people CHECK (reopened_at IS NULL
    OR (reopen_note IS NOT NULL AND reopen_asked_by IS NOT NULL AND reopened_by IS NOT NULL AND reopened_by <> reopen_asked_by))
);
CREATE UNIQUE INDEX closed_month_key ON closed_month (coalesce(corporation_id, 0), month) WHERE reopened_at IS NULL;
ALTER TABLE closed_month ENABLE ROW LEVEL SECURITY;
ALTER TABLE closed_month FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON closed_month FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON closed_month TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON closed_month TO heliograph_api, heliograph_worker;

-- Accounts that a seller sells to. The platform is null.
CREATE FUNCTION accounts_of_seller(seller bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT b.id FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
  WHERE c.reseller_id IS NOT DISTINCT FROM seller
$$;

-- What has to be done before a month is closed: `missing` counts it. A line that blocks must be 0.
CREATE FUNCTION month_checks(seller bigint, wanted date) RETURNS TABLE (name text, missing bigint, blocks boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF coalesce(current_setting('role', true), 'none') = 'heliograph_api' AND NOT scope_is_platform()
    AND (seller IS NULL OR seller <> ALL (scope_corporations())) THEN
    RAISE EXCEPTION 'a seller beyond the scope' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN QUERY
  SELECT 'ledger', (SELECT count(DISTINCT (f.rule, f.billing_account_id)) FROM billing_finding f
    WHERE f.created_at > now() - interval '25 hours' AND f.billing_account_id IN (SELECT accounts_of_seller(seller))), true
  UNION ALL
  SELECT 'statements', (SELECT count(*) FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    WHERE b.id IN (SELECT accounts_of_seller(seller))
      AND b.created_at < (wanted + interval '1 month')::timestamp AT TIME ZONE c.timezone
      AND NOT EXISTS (SELECT FROM statement s WHERE s.billing_account_id = b.id AND s.month = wanted)), true
  UNION ALL
  SELECT 'statement_sums', (SELECT count(*) FROM statement s WHERE s.month = wanted
    AND s.billing_account_id IN (SELECT accounts_of_seller(seller))
    AND s.closing_balance - s.opening_balance <> coalesce((SELECT sum(t.amount) FROM ledger_transfer t
      WHERE t.billing_account_id = s.billing_account_id AND t.created_at >= s.starts_at AND t.created_at < s.ends_at
        AND t.kind NOT IN ('reservation', 'release')), 0)), true;
  IF seller IS NOT NULL THEN RETURN; END IF;
  RETURN QUERY
  SELECT 'costs', (SELECT count(*) FROM generate_series(wanted::timestamp, wanted + interval '1 month' - interval '1 day', interval '1 day') d
    WHERE NOT EXISTS (SELECT FROM margin_counted m WHERE m.day = d::date)), false
  UNION ALL
  SELECT 'carrier_invoices', (SELECT count(*) FROM link l WHERE NOT l.for_tests
    AND EXISTS (SELECT FROM margin_day m WHERE m.link_id = l.id AND m.day >= wanted AND m.day < wanted + interval '1 month')
    AND NOT EXISTS (SELECT FROM carrier_invoice i WHERE i.link_id = l.id AND i.from_day < wanted + interval '1 month' AND i.to_day >= wanted)), false
  UNION ALL
  SELECT 'exchange_rates', (SELECT count(DISTINCT c.currency) FROM statement s JOIN corporation c ON c.id = s.corporation_id
    CROSS JOIN (SELECT coalesce((SELECT nullif(g.value, '') FROM global_configuration g WHERE g.key = 'currency' AND g.enabled), 'PHP') AS own) o
    WHERE s.month = wanted AND c.currency <> o.own AND NOT EXISTS (SELECT FROM exchange_rate r
      WHERE r.day < wanted + interval '1 month' AND least(r.from_currency, r.to_currency) = least(c.currency, o.own)
        AND greatest(r.from_currency, r.to_currency) = greatest(c.currency, o.own))), false;
END $$;

-- The only way to close a month, with all earlier ones. Its accounts are locked, so that no entry slips in.
CREATE FUNCTION close_month(seller bigint, wanted date, person bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  made bigint;
BEGIN
  PERFORM FROM billing_account WHERE id IN (SELECT accounts_of_seller(seller)) ORDER BY id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM month_checks(seller, wanted) c WHERE c.blocks AND c.missing > 0) THEN
    RAISE EXCEPTION 'the month is not complete' USING ERRCODE = 'HGCM1';
  END IF;
  IF NOT EXISTS (SELECT FROM statement s WHERE s.month = wanted AND s.billing_account_id IN (SELECT accounts_of_seller(seller))) THEN
    RAISE EXCEPTION 'the month has no statement' USING ERRCODE = 'HGCM1';
  END IF;
  INSERT INTO closed_month (corporation_id, month, checks, closed_by)
  SELECT seller, wanted, jsonb_agg(jsonb_build_object('name', c.name, 'missing', c.missing, 'blocks', c.blocks)), person
  FROM month_checks(seller, wanted) c RETURNING id INTO made;
  UPDATE billing_account b SET closed_until = s.ends_at FROM statement s
  WHERE s.billing_account_id = b.id AND s.month = wanted AND b.id IN (SELECT accounts_of_seller(seller))
    AND (b.closed_until IS NULL OR b.closed_until < s.ends_at);
  RETURN made;
END $$;

-- Opens the newest closed month of a seller again, by a second person of the platform.
CREATE FUNCTION reopen_month(closed_id bigint, person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  closed closed_month;
BEGIN
  IF coalesce(current_setting('role', true), 'none') = 'heliograph_api' AND NOT scope_is_platform() THEN
    RAISE EXCEPTION 'only the platform opens a month again' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE closed_month SET reopened_at = now(), reopened_by = person WHERE id = closed_id AND reopened_at IS NULL RETURNING * INTO closed;
  IF closed.id IS NULL OR EXISTS (SELECT FROM closed_month m WHERE m.reopened_at IS NULL AND m.month > closed.month
    AND m.corporation_id IS NOT DISTINCT FROM closed.corporation_id) THEN
    RAISE EXCEPTION 'not the newest closed month' USING ERRCODE = 'HGCM2';
  END IF;
  UPDATE billing_account b SET closed_until = (SELECT max(s.ends_at) FROM statement s JOIN closed_month m ON m.month = s.month
    WHERE s.billing_account_id = b.id AND m.reopened_at IS NULL AND m.corporation_id IS NOT DISTINCT FROM closed.corporation_id)
  WHERE b.id IN (SELECT accounts_of_seller(closed.corporation_id));
END $$;

-- Asks for it, with the reason.
CREATE FUNCTION ask_to_reopen(closed_id bigint, person bigint, note text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF coalesce(current_setting('role', true), 'none') = 'heliograph_api' AND NOT scope_is_platform() THEN
    RAISE EXCEPTION 'only the platform opens a month again' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE closed_month SET reopen_note = note, reopen_asked_at = now(), reopen_asked_by = person WHERE id = closed_id AND reopened_at IS NULL;
  IF NOT FOUND THEN RAISE EXCEPTION 'not a closed month' USING ERRCODE = 'HGCM2'; END IF;
END $$;
REVOKE EXECUTE ON FUNCTION accounts_of_seller, month_checks, close_month, reopen_month, ask_to_reopen FROM PUBLIC;
GRANT EXECUTE ON FUNCTION month_checks, close_month, reopen_month, ask_to_reopen TO heliograph_api;
