-- A month that was opened again and corrected is closed again: its statements, and the opening balances of later ones, are made
-- again from the ledger. What each was before stays in `statement_revision`.
ALTER TABLE statement ADD COLUMN revised_at timestamptz;
CREATE TABLE statement_revision (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  statement_id bigint NOT NULL REFERENCES statement,
  corporation_id bigint NOT NULL REFERENCES corporation,
  before jsonb NOT NULL, -- the row of the statement as it was
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX statement_revision_statement_id ON statement_revision (statement_id);
CREATE INDEX statement_revision_corporation_id ON statement_revision (corporation_id);
CREATE TRIGGER statement_revision_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_revision
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
ALTER TABLE statement_revision ENABLE ROW LEVEL SECURITY;
ALTER TABLE statement_revision FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON statement_revision FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON statement_revision TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON statement_revision TO heliograph_api, heliograph_worker;

-- Statements change in `revise_statements` only.
CREATE FUNCTION statement_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('heliograph.revises_statements', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'statement is append-only' USING ERRCODE = 'restrict_violation';
END $$;
DROP TRIGGER statement_append_only ON statement;
CREATE TRIGGER statement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement
  FOR EACH STATEMENT EXECUTE FUNCTION statement_is_final();

-- Tells if a month of a seller was opened again and is not closed now.
CREATE FUNCTION month_is_open_again(seller bigint, wanted date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (SELECT FROM closed_month m WHERE m.corporation_id IS NOT DISTINCT FROM seller AND m.month = wanted AND m.reopened_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM closed_month m WHERE m.corporation_id IS NOT DISTINCT FROM seller AND m.month >= wanted AND m.reopened_at IS NULL)
$$;

-- As it was; the statements of a month that is open again are made again when it is closed.
CREATE OR REPLACE FUNCTION month_checks_without_invoices(seller bigint, wanted date) RETURNS TABLE (name text, missing bigint, blocks boolean)
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
    AND s.billing_account_id IN (SELECT accounts_of_seller(seller)) AND NOT month_is_open_again(seller, s.month)
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

-- Makes the statements of months that are open again, up to one, once more from the ledger. Later statements begin with their
-- closing balances. The caller has locked the accounts.
CREATE FUNCTION revise_statements(seller bigint, wanted date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  was statement;
  made statement;
  account bigint;
  balance bigint;
  since date := (SELECT min(m.month) FROM closed_month m WHERE m.month <= wanted
    AND m.corporation_id IS NOT DISTINCT FROM seller AND month_is_open_again(seller, m.month));
BEGIN
  IF since IS NULL THEN RETURN; END IF;
  PERFORM set_config('heliograph.revises_statements', 'on', true);
  FOR was IN SELECT s.* FROM statement s WHERE s.month >= since AND s.billing_account_id IN (SELECT accounts_of_seller(seller))
    ORDER BY s.billing_account_id, s.month
  LOOP
    made := was;
    IF account IS NOT DISTINCT FROM was.billing_account_id THEN made.opening_balance := balance; END IF;
    IF was.month <= wanted AND month_is_open_again(seller, was.month) THEN
      SELECT coalesce(sum(t.amount) FILTER (WHERE t.kind = 'payment'), 0), coalesce(sum(t.amount) FILTER (WHERE t.kind = 'charge'), 0),
        coalesce(sum(t.amount) FILTER (WHERE t.kind = 'refund'), 0), coalesce(sum(t.amount) FILTER (WHERE t.kind = 'commitment'), 0),
        coalesce(sum(t.amount) FILTER (WHERE t.kind = 'correction'), 0), coalesce(sum(t.amount) FILTER (WHERE t.kind = 'transfer'), 0),
        coalesce(sum(t.amount) FILTER (WHERE t.kind = 'discount'), 0)
      INTO made.payments, made.charges, made.refunds, made.commitment, made.corrections, made.transfers, made.discounts
      FROM ledger_transfer t WHERE t.billing_account_id = was.billing_account_id AND t.created_at >= was.starts_at AND t.created_at < was.ends_at;
    END IF;
    made.closing_balance := made.opening_balance + made.payments + made.charges + made.refunds + made.commitment + made.corrections
      + made.transfers + made.discounts;
    account := was.billing_account_id;
    balance := made.closing_balance;
    IF made IS DISTINCT FROM was THEN
      INSERT INTO statement_revision (statement_id, corporation_id, before) VALUES (was.id, was.corporation_id, to_jsonb(was));
      UPDATE statement SET opening_balance = made.opening_balance, payments = made.payments, charges = made.charges, refunds = made.refunds,
        commitment = made.commitment, corrections = made.corrections, transfers = made.transfers, discounts = made.discounts,
        closing_balance = made.closing_balance, revised_at = now() WHERE id = was.id;
    END IF;
  END LOOP;
  PERFORM set_config('heliograph.revises_statements', '', true);
END $$;
REVOKE EXECUTE ON FUNCTION month_is_open_again, revise_statements FROM PUBLIC;
GRANT EXECUTE ON FUNCTION month_is_open_again TO heliograph_api;

-- As it was, with the statements of months that are open again.
CREATE OR REPLACE FUNCTION close_month(seller bigint, wanted date, person bigint) RETURNS bigint
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
  PERFORM revise_statements(seller, wanted);
  INSERT INTO closed_month (corporation_id, month, checks, closed_by)
  SELECT seller, wanted, jsonb_agg(jsonb_build_object('name', c.name, 'missing', c.missing, 'blocks', c.blocks)), person
  FROM month_checks(seller, wanted) c RETURNING id INTO made;
  UPDATE billing_account b SET closed_until = s.ends_at FROM statement s
  WHERE s.billing_account_id = b.id AND s.month = wanted AND b.id IN (SELECT accounts_of_seller(seller))
    AND (b.closed_until IS NULL OR b.closed_until < s.ends_at);
  RETURN made;
END $$;
