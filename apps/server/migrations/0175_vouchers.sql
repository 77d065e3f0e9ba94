-- Vouchers: codes that add credit once. Only their digests are stored.
CREATE TABLE voucher_batch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- reseller whose customers redeem them; null: the platform's
  name text NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  count integer NOT NULL CHECK (count BETWEEN 1 AND 5000),
  expires_on date, -- last day, in UTC
  user_id bigint,
  voided_at timestamptz,
  voided_by bigint,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX voucher_batch_name_key ON voucher_batch (corporation_id, name_key(name)) NULLS NOT DISTINCT;
CREATE TABLE voucher (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  voucher_batch_id bigint NOT NULL REFERENCES voucher_batch ON DELETE CASCADE,
  code_digest bytea NOT NULL UNIQUE, -- SHA-256 of a code of 80 random bits
  top_up_id bigint REFERENCES top_up,
  redeemed_at timestamptz
);
CREATE INDEX voucher_batch_id ON voucher (voucher_batch_id);
CREATE INDEX voucher_top_up_id ON voucher (top_up_id);
-- Wrong codes that people tried, so that nobody guesses.
CREATE TABLE voucher_try (
  user_id bigint NOT NULL,
  tried_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX voucher_try_user_id ON voucher_try (user_id, tried_at);

-- Takes a voucher for an account of the caller, and answers its amount and name; no row if the code is of no voucher that this
-- account may redeem. Of two at the same time, one waits for the other and gets none.
CREATE FUNCTION take_voucher(digest bytea, account bigint, top_up bigint) RETURNS TABLE (amount bigint, name text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public AS $$
  WITH taken AS (
    UPDATE voucher v SET redeemed_at = now(), top_up_id = top_up
    FROM voucher_batch b, billing_account a JOIN corporation c ON c.id = a.corporation_id
    WHERE v.code_digest = digest AND v.redeemed_at IS NULL AND b.id = v.voucher_batch_id AND b.voided_at IS NULL
      AND (b.expires_on IS NULL OR b.expires_on >= (now() AT TIME ZONE 'UTC')::date)
      AND a.id = account AND a.enabled AND b.corporation_id IS NOT DISTINCT FROM c.reseller_id AND b.currency = c.currency
      AND (scope_is_platform() OR c.id = ANY (scope_corporations()))
    RETURNING b.amount, b.name
  ) SELECT * FROM taken
$$;
-- Amount of a voucher that an account of the caller may redeem now; null if there is none.
CREATE FUNCTION voucher_amount(digest bytea, account bigint) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT b.amount FROM voucher v JOIN voucher_batch b ON b.id = v.voucher_batch_id, billing_account a
    JOIN corporation c ON c.id = a.corporation_id
  WHERE v.code_digest = digest AND v.redeemed_at IS NULL AND b.voided_at IS NULL
    AND (b.expires_on IS NULL OR b.expires_on >= (now() AT TIME ZONE 'UTC')::date)
    AND a.id = account AND a.enabled AND b.corporation_id IS NOT DISTINCT FROM c.reseller_id AND b.currency = c.currency
    AND (scope_is_platform() OR c.id = ANY (scope_corporations()))
$$;

CREATE VIEW voucher_batch_row WITH (security_invoker) AS
  SELECT b.id, b.created_at, b.corporation_id, c.name AS corporation_name, b.name, b.amount, b.currency, b.count,
    b.expires_on::text AS expires_on, b.voided_at, u.name AS user_name,
    (SELECT count(*) FROM voucher v WHERE v.voucher_batch_id = b.id AND v.redeemed_at IS NOT NULL)::integer AS redeemed
  FROM voucher_batch b LEFT JOIN corporation c ON c.id = b.corporation_id LEFT JOIN user_account u ON u.id = b.user_id;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['voucher_batch', 'voucher', 'voucher_try'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
CREATE POLICY caller ON voucher_batch TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON voucher TO heliograph_api USING (voucher_batch_id IN (SELECT id FROM voucher_batch));
CREATE POLICY caller ON voucher_try TO heliograph_api USING (user_id = (SELECT scope_user()));
GRANT SELECT, INSERT, UPDATE ON voucher_batch TO heliograph_api;
GRANT SELECT, INSERT ON voucher TO heliograph_api;
GRANT SELECT, INSERT, DELETE ON voucher_try TO heliograph_api;
GRANT SELECT ON voucher_batch_row TO heliograph_api;
GRANT SELECT, DELETE ON voucher_try TO heliograph_worker;
REVOKE EXECUTE ON FUNCTION take_voucher(bytea, bigint, bigint), voucher_amount(bytea, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_voucher(bytea, bigint, bigint), voucher_amount(bytea, bigint) TO heliograph_api;
