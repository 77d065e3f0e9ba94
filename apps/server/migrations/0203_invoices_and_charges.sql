-- What an account owes for the month of a statement, in thousandths: its charges, monthly minimum, refunds and corrections, without
-- the entries that invoices posted.
CREATE FUNCTION owed_for_month(s statement) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT (coalesce((SELECT sum(t.amount) FROM invoice v JOIN ledger_transfer t ON t.key = 'invoice:' || v.id
      WHERE v.corporation_id = s.corporation_id AND v.billing_account_id = s.billing_account_id
        AND t.created_at >= s.starts_at AND t.created_at < s.ends_at), 0)
    - s.charges - s.commitment - s.refunds - s.corrections)::bigint
$$;

-- Months of a seller's postpaid accounts without an invoice that states what they owe.
CREATE FUNCTION months_not_invoiced(seller bigint, wanted date) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT count(*) FROM statement s JOIN billing_account b ON b.id = s.billing_account_id
  JOIN price_plan p ON p.id = b.price_plan_id AND p.type = 'postpaid_special'
  JOIN invoice_buyer y ON y.corporation_id = s.corporation_id AND s.month >= date_trunc('month', y.invoices_from)
  JOIN invoice_issuer i ON i.corporation_id IS NOT DISTINCT FROM seller
  WHERE s.month = wanted AND s.billing_account_id IN (SELECT accounts_of_seller(seller))
    AND NOT EXISTS (SELECT FROM invoice v JOIN statement l ON l.id = v.statement_id
      WHERE v.billing_account_id = s.billing_account_id AND v.state = 'issued' AND s.month BETWEEN v.billed_from AND l.month
        AND v.billed = (SELECT sum(owed_for_month(z)) FROM statement z
          WHERE z.billing_account_id = s.billing_account_id AND z.month BETWEEN v.billed_from AND l.month))
    -- A month without anything to pay is carried to the next one.
    AND (SELECT sum(owed_for_month(z)) FROM statement z
      WHERE z.billing_account_id = s.billing_account_id AND z.month BETWEEN date_trunc('month', y.invoices_from) AND s.month
        AND NOT EXISTS (SELECT FROM invoice v JOIN statement l ON l.id = v.statement_id
          WHERE v.billing_account_id = z.billing_account_id AND v.state = 'issued' AND z.month BETWEEN v.billed_from AND l.month)) > 0
$$;
REVOKE EXECUTE ON FUNCTION owed_for_month, months_not_invoiced FROM PUBLIC;

-- The list of a month shows it, and blocks nothing: a statement stays what it is.
ALTER FUNCTION month_checks(bigint, date) RENAME TO month_checks_without_invoices;
REVOKE EXECUTE ON FUNCTION month_checks_without_invoices FROM heliograph_api;
CREATE FUNCTION month_checks(seller bigint, wanted date) RETURNS TABLE (name text, missing bigint, blocks boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.name, c.missing, c.blocks FROM (
    SELECT c.*, row_number() OVER () AS place FROM month_checks_without_invoices(seller, wanted) c
    UNION ALL SELECT 'invoices', months_not_invoiced(seller, wanted), false, 3
  ) c ORDER BY c.place, c.name = 'invoices'
$$;
REVOKE EXECUTE ON FUNCTION month_checks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION month_checks TO heliograph_api;
