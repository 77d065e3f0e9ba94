-- Discounts for the volume of a month, by plan or by account. The terms never change, apart from an earlier last month. A month's
-- discount is an entry of the ledger, posted with its statement.
-- contract: demanded: constraint ledger_transfer.ledger_transfer_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'reservation'::text, 'charge'::text, 'release'::text, 'refund'::text, 'commitment'::text, 'correction'::text, 'transfer'::text, 'discount'::text]))) NOT VALID
-- contract: demanded: constraint statement.statement_check CHECK ((closing_balance = (((((((opening_balance + payments) + charges) + refunds) + commitment) + corrections) + transfers) + discounts))) NOT VALID
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check CHECK (kind IN
  ('payment', 'reservation', 'charge', 'release', 'refund', 'commitment', 'correction', 'transfer', 'discount')) NOT VALID;
ALTER TABLE statement ADD COLUMN discounts bigint NOT NULL DEFAULT 0;
ALTER TABLE statement DROP CONSTRAINT statement_check;
ALTER TABLE statement ADD CONSTRAINT statement_check CHECK
  (closing_balance = opening_balance + payments + charges + refunds + commitment + corrections + transfers + discounts) NOT VALID;

CREATE TABLE volume_discount (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- seller; null for the platform
  price_plan_id bigint REFERENCES price_plan,
  billing_account_id bigint REFERENCES billing_account, -- an account's own discount replaces that of its plan
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  measure text NOT NULL CHECK (measure IN ('parts', 'amount')),
  applies text NOT NULL CHECK (applies IN ('all', 'step')), -- all: to the whole month; step: to what is above each beginning
  tiers jsonb NOT NULL CHECK (jsonb_typeof(tiers) = 'array'), -- beginning (parts, or thousandths) and hundredths of a percent off
  first_month date NOT NULL CHECK (extract(day FROM first_month) = 1),
  last_month date CHECK (extract(day FROM last_month) = 1),
  user_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(price_plan_id, billing_account_id) = 1)
);
CREATE INDEX volume_discount_price_plan_id ON volume_discount (price_plan_id);
CREATE INDEX volume_discount_billing_account_id ON volume_discount (billing_account_id);
CREATE INDEX volume_discount_corporation_id ON volume_discount (corporation_id);

-- What a discount came to in a month of an account; amounts in thousandths.
CREATE TABLE month_discount (
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  corporation_id bigint NOT NULL REFERENCES corporation, -- owner of the account
  volume_discount_id bigint NOT NULL REFERENCES volume_discount,
  parts bigint NOT NULL CHECK (parts >= 0),
  charged bigint NOT NULL CHECK (charged >= 0), -- charges less refunds
  amount bigint NOT NULL CHECK (amount BETWEEN 1 AND charged),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (billing_account_id, month)
);
CREATE INDEX month_discount_corporation_id ON month_discount (corporation_id);
CREATE INDEX month_discount_volume_discount_id ON month_discount (volume_discount_id);
CREATE TRIGGER month_discount_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON month_discount
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

ALTER TABLE volume_discount ENABLE ROW LEVEL SECURITY;
ALTER TABLE volume_discount FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON volume_discount TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON volume_discount TO CURRENT_USER, heliograph_worker USING (true);
ALTER TABLE month_discount ENABLE ROW LEVEL SECURITY;
ALTER TABLE month_discount FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON month_discount FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON month_discount TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE (last_month) ON volume_discount TO heliograph_api;
GRANT SELECT ON volume_discount TO heliograph_worker;
GRANT SELECT ON month_discount TO heliograph_api;
GRANT SELECT, INSERT ON month_discount TO heliograph_worker;

-- Discount of an account in a month: the one that was given, else its own, else that of its plan. Customers read the terms by
-- which they pay, as far as they see the account.
CREATE FUNCTION volume_discount_of(account_id bigint, wanted date)
RETURNS TABLE (id bigint, name text, measure text, applies text, tiers jsonb, parts bigint, charged bigint, amount bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT d.id, d.name, d.measure, d.applies, d.tiers, m.parts, m.charged, m.amount
  FROM billing_account b LEFT JOIN month_discount m ON m.billing_account_id = b.id AND m.month = wanted
  JOIN volume_discount d ON d.id = m.volume_discount_id
    OR (m.month IS NULL AND (d.billing_account_id = b.id OR d.price_plan_id = b.price_plan_id)
      AND d.first_month <= wanted AND (d.last_month IS NULL OR d.last_month >= wanted))
  WHERE b.id = account_id AND (coalesce(current_setting('role', true), 'none') <> 'heliograph_api' OR scope_is_platform()
    OR b.corporation_id = ANY (scope_corporations()))
  ORDER BY d.billing_account_id IS NULL, d.id DESC LIMIT 1
$$;
REVOKE EXECUTE ON FUNCTION volume_discount_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION volume_discount_of TO heliograph_api, heliograph_worker;

-- As it was, with discounts: revenue becomes credit.
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
        WHEN NOT a.usable AND (g.kind = 'reservation' OR g.kind = 'transfer' AND g.signed < 0) THEN 'suspended'
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
      CASE WHEN r.result = 'posted' AND r.balance_after < r.least AND (r.kind = 'reservation' OR r.kind = 'transfer' AND r.signed < 0)
          THEN 'insufficient'
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
      ('correction', 'credit', 1), ('correction', 'revenue', -1),
      ('transfer', 'credit', 1), ('transfer', 'transit', -1),
      ('discount', 'revenue', -1), ('discount', 'credit', 1)
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

-- As it was, with discounts.
CREATE OR REPLACE FUNCTION owed_for_month(s statement) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT (coalesce((SELECT sum(t.amount) FROM invoice v JOIN ledger_transfer t ON t.key = 'invoice:' || v.id
      WHERE v.corporation_id = s.corporation_id AND v.billing_account_id = s.billing_account_id
        AND t.created_at >= s.starts_at AND t.created_at < s.ends_at), 0)
    - s.charges - s.commitment - s.refunds - s.corrections - s.discounts)::bigint
$$;
