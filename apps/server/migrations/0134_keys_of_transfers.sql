-- As it was; only the known keys are looked up one by one. With EXISTS the planner built a hash of all transfers, twice for
-- each statement, as long as the table looked small to it.
CREATE OR REPLACE FUNCTION post_transfers(keys text[], kinds text[], account_ids bigint[], corporation_ids bigint[], amounts bigint[],
  campaign_ids bigint[], user_ids bigint[], notes text[], times timestamptz[], pricings jsonb[])
RETURNS TABLE (key text, result text) LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
#variable_conflict use_column
BEGIN
  IF coalesce(current_setting('role', true), 'none') = 'heliograph_api' AND NOT scope_is_platform() AND EXISTS (
    SELECT FROM billing_account b WHERE b.id = ANY (account_ids) AND b.corporation_id <> ALL (scope_corporations())
      AND b.corporation_id NOT IN (
        SELECT c.reseller_id FROM corporation c WHERE c.id = ANY (scope_corporations()) AND c.reseller_id IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'an account beyond the scope' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM FROM billing_account WHERE id = ANY (account_ids) ORDER BY id FOR NO KEY UPDATE;
  RETURN QUERY
  WITH given AS (
    SELECT DISTINCT ON (w.key) w.*, w.amount * CASE WHEN w.kind IN ('reservation', 'charge', 'commitment') THEN -1 ELSE 1 END AS signed
    FROM unnest(keys, kinds, account_ids, corporation_ids, amounts, campaign_ids, user_ids, notes, times, pricings)
      WITH ORDINALITY AS w (key, kind, billing_account_id, corporation_id, amount, campaign_id, user_id, note, created_at, pricing, place)
    ORDER BY w.key, w.place
  ), judged AS MATERIALIZED (
    SELECT g.*, a.balance_before, CASE
        WHEN (SELECT t.id FROM ledger_transfer t WHERE t.key = g.key) IS NOT NULL THEN 'known'
        WHEN a.id IS NULL THEN 'missing'
        WHEN g.kind = 'reservation' AND NOT a.usable THEN 'suspended'
        ELSE 'posted' END AS result,
      -a.credit_limit AS least
    FROM given g LEFT JOIN (
      SELECT id, corporation_id, credit_limit, credit_balance AS balance_before, enabled AND NOT suspended AS usable
      FROM billing_account WHERE id = ANY (account_ids)
    ) a ON a.id = g.billing_account_id AND a.corporation_id = g.corporation_id
  ), running AS (
    SELECT j.*, j.balance_before + sum(CASE WHEN j.result = 'posted' AND j.kind <> 'charge' THEN j.signed ELSE 0 END)
      OVER (PARTITION BY j.billing_account_id ORDER BY j.place) AS balance_after
    FROM judged j
  ), decided AS (
    SELECT r.key, r.kind, r.billing_account_id, r.corporation_id, r.signed, r.balance_after, r.campaign_id, r.user_id,
      r.note, r.created_at, r.pricing, r.place,
      CASE WHEN r.result = 'posted' AND r.kind = 'reservation' AND r.balance_after < r.least THEN 'insufficient'
        ELSE r.result END AS result
    FROM running r
  ), inserted AS (
    INSERT INTO ledger_transfer AS t
      (key, kind, billing_account_id, corporation_id, amount, balance_after, campaign_id, user_id, note, created_at, pricing)
    SELECT d.key, d.kind, d.billing_account_id, d.corporation_id, d.signed, d.balance_after, d.campaign_id, d.user_id,
      d.note, coalesce(d.created_at, now()), d.pricing
    FROM decided d WHERE d.result = 'posted' ORDER BY d.place
    RETURNING t.id, t.kind, t.billing_account_id, t.corporation_id, t.amount, t.balance_after, t.campaign_id,
      t.user_id, t.note, t.created_at
  ), written AS (
    INSERT INTO ledger_entry (transfer_id, corporation_id, billing_account_id, book, amount)
    SELECT i.id, i.corporation_id, i.billing_account_id, b.book, b.sign * i.amount
    FROM inserted i JOIN (VALUES
      ('payment', 'cash', -1), ('payment', 'credit', 1),
      ('reservation', 'credit', 1), ('reservation', 'reserved', -1),
      ('charge', 'reserved', 1), ('charge', 'revenue', -1),
      ('release', 'reserved', -1), ('release', 'credit', 1),
      ('refund', 'revenue', -1), ('refund', 'credit', 1),
      ('commitment', 'credit', 1), ('commitment', 'revenue', -1),
      ('correction', 'credit', 1), ('correction', 'revenue', -1)
    ) AS b (kind, book, sign) ON b.kind = i.kind
  ), moved AS (
    SELECT i.billing_account_id,
      sum(CASE WHEN i.kind = 'charge' THEN 0 ELSE i.amount END) AS credit,
      sum(CASE WHEN i.kind IN ('reservation', 'release') THEN -i.amount WHEN i.kind = 'charge' THEN i.amount ELSE 0 END) AS reserved
    FROM inserted i GROUP BY i.billing_account_id
  ), kept AS (
    UPDATE billing_account a SET credit_balance = a.credit_balance + m.credit, reserved = a.reserved + m.reserved
    FROM moved m WHERE a.id = m.billing_account_id
  ), shown AS (
    INSERT INTO credit_change AS c (corporation_id, billing_account_id, kind, campaign_id, user_id, note, hour, amount,
      balance_after, transfers, first_transfer_id, last_transfer_id, created_at, last_at)
    SELECT h.corporation_id, h.billing_account_id, h.kind, h.campaign_id, min(h.user_id), min(h.note), h.hour, sum(h.amount),
      (array_agg(h.balance_after ORDER BY h.id DESC))[1], count(*), min(h.id), max(h.id), min(h.created_at), max(h.created_at)
    FROM (
      SELECT i.*, CASE WHEN i.kind IN ('charge', 'release', 'reservation') AND i.user_id IS NULL AND i.note IS NULL
        THEN date_bin('15 minutes', i.created_at, '2000-01-01T00:00:00Z') END AS hour FROM inserted i
    ) h GROUP BY h.corporation_id, h.billing_account_id, h.kind, h.campaign_id, h.hour, CASE WHEN h.hour IS NULL THEN h.id END
    ORDER BY min(h.id)
    ON CONFLICT (billing_account_id, kind, coalesce(campaign_id, 0), hour) WHERE hour IS NOT NULL DO UPDATE SET
      amount = c.amount + EXCLUDED.amount, balance_after = EXCLUDED.balance_after,
      transfers = c.transfers + EXCLUDED.transfers, last_transfer_id = EXCLUDED.last_transfer_id,
      created_at = least(c.created_at, EXCLUDED.created_at), last_at = greatest(c.last_at, EXCLUDED.last_at)
  )
  SELECT d.key, d.result FROM decided d;
END $$;

-- As paying_accounts, for many accounts with one plan. Only the intake, which belongs to no tenant, asks for many.
CREATE FUNCTION paying_accounts_of(account_ids bigint[]) RETURNS TABLE (
  asked bigint, billing_account_id bigint, corporation_id bigint, is_reseller boolean, timezone text,
  charge_on_delivery boolean, price_plan_id bigint, version bigint, plan_enabled boolean, starts_on date, expires_on date
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH own AS (
    SELECT b.id, c.reseller_id FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    WHERE b.id = ANY (account_ids)
  ), payers AS (
    SELECT id AS asked, id, false AS is_reseller FROM own
    UNION ALL
    SELECT id, (SELECT min(b.id) FROM billing_account b WHERE b.corporation_id = own.reseller_id AND b.enabled), true
    FROM own WHERE own.reseller_id IS NOT NULL
  )
  SELECT y.asked, b.id, b.corporation_id, y.is_reseller, c.timezone, b.charge_on_delivery, p.id, p.version, p.enabled,
    p.starts_on, p.expires_on
  FROM payers y LEFT JOIN billing_account b ON b.id = y.id LEFT JOIN corporation c ON c.id = b.corporation_id
  LEFT JOIN price_plan p ON p.id = b.price_plan_id
$$;
REVOKE EXECUTE ON FUNCTION paying_accounts_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION paying_accounts_of TO heliograph_intake;
