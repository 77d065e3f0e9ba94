-- Money moves between accounts: both sides are posted in one transaction and pass through the book `transit`, which is empty
-- when both are there.
-- contract: demanded: constraint ledger_transfer.ledger_transfer_kind_check CHECK ((kind = ANY (ARRAY['payment'::text, 'reservation'::text, 'charge'::text, 'release'::text, 'refund'::text, 'commitment'::text, 'correction'::text, 'transfer'::text]))) NOT VALID
-- contract: demanded: constraint ledger_entry.ledger_entry_book_check CHECK ((book = ANY (ARRAY['cash'::text, 'credit'::text, 'reserved'::text, 'revenue'::text, 'transit'::text]))) NOT VALID
-- contract: demanded: constraint statement.statement_check CHECK ((closing_balance = ((((((opening_balance + payments) + charges) + refunds) + commitment) + corrections) + transfers))) NOT VALID
ALTER TABLE ledger_transfer DROP CONSTRAINT ledger_transfer_kind_check;
ALTER TABLE ledger_transfer ADD CONSTRAINT ledger_transfer_kind_check
  CHECK (kind IN ('payment', 'reservation', 'charge', 'release', 'refund', 'commitment', 'correction', 'transfer')) NOT VALID;
ALTER TABLE ledger_entry DROP CONSTRAINT ledger_entry_book_check;
ALTER TABLE ledger_entry ADD CONSTRAINT ledger_entry_book_check
  CHECK (book IN ('cash', 'credit', 'reserved', 'revenue', 'transit')) NOT VALID;
ALTER TABLE statement ADD COLUMN transfers bigint NOT NULL DEFAULT 0;
ALTER TABLE statement DROP CONSTRAINT statement_check;
ALTER TABLE statement ADD CONSTRAINT statement_check
  CHECK (closing_balance = opening_balance + payments + charges + refunds + commitment + corrections + transfers) NOT VALID;

CREATE TABLE account_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_account_id bigint NOT NULL REFERENCES billing_account,
  from_corporation_id bigint NOT NULL REFERENCES corporation,
  to_account_id bigint NOT NULL REFERENCES billing_account,
  to_corporation_id bigint NOT NULL REFERENCES corporation,
  amount bigint NOT NULL CHECK (amount > 0),
  reference text CHECK (length(reference) <= 100),
  note text CHECK (length(note) <= 200),
  user_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  reversed_at timestamptz,
  reversed_by bigint,
  reverse_note text CHECK (length(reverse_note) <= 200),
  CONSTRAINT account_transfer_from_account_id_reference_key UNIQUE (from_account_id, reference),
  CHECK ((reversed_at IS NULL) = (reverse_note IS NULL))
);
CREATE INDEX account_transfer_to_account_id ON account_transfer (to_account_id);
CREATE INDEX account_transfer_from_corporation_id ON account_transfer (from_corporation_id);
CREATE INDEX account_transfer_to_corporation_id ON account_transfer (to_corporation_id);
ALTER TABLE account_transfer ENABLE ROW LEVEL SECURITY;
ALTER TABLE account_transfer FORCE ROW LEVEL SECURITY;
-- Both sides see a transfer. Only who sees the paying account makes and reverses it.
CREATE POLICY caller ON account_transfer FOR SELECT TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR from_corporation_id = ANY ((SELECT scope_corporations())::bigint[]) OR to_corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
CREATE POLICY payer ON account_transfer FOR INSERT TO heliograph_api WITH CHECK (
  (SELECT scope_is_platform()) OR from_corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY taker ON account_transfer FOR UPDATE TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR from_corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
CREATE POLICY inside ON account_transfer TO CURRENT_USER, heliograph_worker USING (true);

CREATE VIEW account_transfer_row WITH (security_invoker) AS
  SELECT t.id, t.created_at, t.from_account_id, f.name AS from_account_name, fc.name AS from_corporation_name, t.to_account_id,
    o.name AS to_account_name, oc.name AS to_corporation_name, t.amount, t.reference, t.note, u.name AS user_name, t.reversed_at,
    t.reverse_note, r.name AS reversed_by_name, coalesce(fc.currency, oc.currency) AS currency, f.id IS NOT NULL AS runs
  FROM account_transfer t
  -- The paying account of a reseller is hidden from its customers.
  LEFT JOIN billing_account f ON f.id = t.from_account_id LEFT JOIN corporation fc ON fc.id = f.corporation_id
  LEFT JOIN billing_account o ON o.id = t.to_account_id LEFT JOIN corporation oc ON oc.id = o.corporation_id
  LEFT JOIN user_account u ON u.id = t.user_id LEFT JOIN user_account r ON r.id = t.reversed_by;
GRANT SELECT ON account_transfer, account_transfer_row TO heliograph_api;
GRANT INSERT, UPDATE ON account_transfer TO heliograph_api;
GRANT SELECT ON account_transfer, account_transfer_row TO heliograph_worker;

-- As it was, with transfers: what takes from an account needs credit for it.
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
      ('transfer', 'credit', 1), ('transfer', 'transit', -1)
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
