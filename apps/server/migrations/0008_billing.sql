-- Price plans, zones and rates ---------------------------------------------------------------------------------------

ALTER TABLE price_plan
  ADD COLUMN credit_limit bigint NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  ADD COLUMN monthly_plan boolean NOT NULL DEFAULT false,
  ADD COLUMN monthly_commitment bigint NOT NULL DEFAULT 0 CHECK (monthly_commitment >= 0),
  ADD COLUMN starts_on date, -- both included, in the time zone of the account that is billed
  ADD COLUMN expires_on date,
  -- Of the plan's card: every change of its rates or of what it charges counts it up, so that a price found once can
  -- be found again.
  ADD COLUMN version bigint NOT NULL DEFAULT 1,
  ADD CONSTRAINT price_plan_dates CHECK (expires_on >= starts_on);

CREATE TABLE rate_zone (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  built_in boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX rate_zone_name_key ON rate_zone (lower(name));
INSERT INTO rate_zone (name, built_in) VALUES ('WEB', true), ('API', true);

CREATE TABLE rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  price_plan_id bigint NOT NULL REFERENCES price_plan,
  rate_zone_id bigint NOT NULL REFERENCES rate_zone,
  prefix text NOT NULL CHECK (prefix ~ '^[0-9]{1,15}$'),
  charge bigint NOT NULL CHECK (charge >= 0),
  enabled boolean NOT NULL DEFAULT true,
  starts_on date NOT NULL,
  ends_on date,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT rate_price_plan_id_rate_zone_id_prefix_starts_on_key UNIQUE (price_plan_id, rate_zone_id, prefix, starts_on),
  CONSTRAINT rate_dates CHECK (ends_on >= starts_on)
);
CREATE INDEX rate_rate_zone_id ON rate (rate_zone_id);

-- What a plan was at each version; outlives the plan.
CREATE TABLE price_card (
  price_plan_id bigint NOT NULL,
  version bigint NOT NULL,
  name text NOT NULL,
  default_charge bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (price_plan_id, version)
);

-- What the card's rates were at each version: in it from one version up to, but without, another. Switched-off rates
-- are in none. Written by the trigger below, never altered but for its end.
CREATE TABLE rate_history (
  rate_id bigint NOT NULL,
  price_plan_id bigint NOT NULL,
  rate_zone_id bigint NOT NULL,
  prefix text NOT NULL,
  charge bigint NOT NULL,
  starts_on date NOT NULL,
  ends_on date,
  from_version bigint NOT NULL,
  to_version bigint,
  PRIMARY KEY (rate_id, from_version)
);
CREATE INDEX rate_history_prefix ON rate_history (price_plan_id, rate_zone_id, prefix);

CREATE FUNCTION price_plan_versioned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER price_plan_versioned BEFORE UPDATE ON price_plan FOR EACH ROW
  WHEN ((OLD.name, OLD.default_charge) IS DISTINCT FROM (NEW.name, NEW.default_charge))
  EXECUTE FUNCTION price_plan_versioned();

CREATE FUNCTION price_plan_recorded() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO price_card (price_plan_id, version, name, default_charge)
  VALUES (NEW.id, NEW.version, NEW.name, NEW.default_charge);
  RETURN NULL;
END $$;
CREATE TRIGGER price_plan_added AFTER INSERT ON price_plan FOR EACH ROW EXECUTE FUNCTION price_plan_recorded();
CREATE TRIGGER price_plan_changed AFTER UPDATE ON price_plan FOR EACH ROW
  WHEN (OLD.version <> NEW.version) EXECUTE FUNCTION price_plan_recorded();
INSERT INTO price_card (price_plan_id, version, name, default_charge)
SELECT id, version, name, default_charge FROM price_plan;

-- A change of rates makes a version of each plan it touches. The plan's row is locked by it, so changes of one card
-- follow one another, and the check for overlapping dates sees all of them.
CREATE FUNCTION rate_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  plans bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN SELECT array_agg(DISTINCT price_plan_id) INTO plans FROM new_rate;
  ELSE SELECT array_agg(DISTINCT price_plan_id) INTO plans FROM old_rate;
  END IF;
  IF plans IS NULL THEN RETURN NULL; END IF;
  PERFORM FROM price_plan WHERE id = ANY (plans) ORDER BY id FOR NO KEY UPDATE;
  UPDATE price_plan SET version = version + 1 WHERE id = ANY (plans);
  IF TG_OP <> 'INSERT' THEN
    UPDATE rate_history h SET to_version = p.version
    FROM old_rate o JOIN price_plan p ON p.id = o.price_plan_id
    WHERE h.rate_id = o.id AND h.to_version IS NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    IF EXISTS (
      SELECT FROM new_rate n JOIN rate r ON r.price_plan_id = n.price_plan_id AND r.rate_zone_id = n.rate_zone_id
        AND r.prefix = n.prefix AND r.id <> n.id
      WHERE daterange(r.starts_on, r.ends_on, '[]') && daterange(n.starts_on, n.ends_on, '[]')
    ) THEN
      RAISE EXCEPTION 'rates of one prefix overlap' USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'rate_overlap';
    END IF;
    INSERT INTO rate_history (rate_id, price_plan_id, rate_zone_id, prefix, charge, starts_on, ends_on, from_version)
    SELECT n.id, n.price_plan_id, n.rate_zone_id, n.prefix, n.charge, n.starts_on, n.ends_on, p.version
    FROM new_rate n JOIN price_plan p ON p.id = n.price_plan_id WHERE n.enabled;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rate_added AFTER INSERT ON rate REFERENCING NEW TABLE AS new_rate
  FOR EACH STATEMENT EXECUTE FUNCTION rate_changed();
CREATE TRIGGER rate_updated AFTER UPDATE ON rate REFERENCING OLD TABLE AS old_rate NEW TABLE AS new_rate
  FOR EACH STATEMENT EXECUTE FUNCTION rate_changed();
CREATE TRIGGER rate_removed AFTER DELETE ON rate REFERENCING OLD TABLE AS old_rate
  FOR EACH STATEMENT EXECUTE FUNCTION rate_changed();

-- A card that was uploaded, and its good rows while they wait to be put into force.
CREATE TABLE card_upload (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- the plan's owner; null for the platform
  price_plan_id bigint NOT NULL REFERENCES price_plan ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account,
  state text NOT NULL DEFAULT 'checking'
    CHECK (state IN ('checking', 'ready', 'applying', 'applied', 'failed', 'discarded')),
  mode text CHECK (mode IN ('merge', 'replace')),
  file_name text NOT NULL,
  file_path text NOT NULL,
  file_sha256 text NOT NULL,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  rows_new bigint NOT NULL DEFAULT 0,
  rows_changed bigint NOT NULL DEFAULT 0,
  rows_same bigint NOT NULL DEFAULT 0,
  rates_missing bigint NOT NULL DEFAULT 0,
  preview jsonb NOT NULL DEFAULT '[]',
  faults jsonb NOT NULL DEFAULT '[]',
  error_path text NOT NULL,
  error_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX card_upload_price_plan_id ON card_upload (price_plan_id, id);
-- The same file counts once for a plan, unless nothing came of it.
CREATE UNIQUE INDEX card_upload_price_plan_id_file_sha256 ON card_upload (price_plan_id, file_sha256)
  WHERE state NOT IN ('failed', 'discarded');

CREATE TABLE card_upload_row (
  card_upload_id bigint NOT NULL REFERENCES card_upload ON DELETE CASCADE,
  line integer NOT NULL,
  rate_zone_id bigint NOT NULL,
  prefix text NOT NULL,
  charge bigint NOT NULL,
  starts_on date NOT NULL,
  ends_on date,
  enabled boolean NOT NULL,
  PRIMARY KEY (card_upload_id, line)
);

-- Accounts, and what a price was found by ----------------------------------------------------------------------------

ALTER TABLE billing_account
  ADD COLUMN low_balance_limit bigint CHECK (low_balance_limit >= 0),
  ADD COLUMN commitment_from date; -- since when, in the corporation's time zone, there is a commitment without a break

CREATE FUNCTION billing_account_commits() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NOT (NEW.monthly_plan AND NEW.monthly_commitment > 0) THEN NEW.commitment_from := NULL;
  ELSIF NEW.commitment_from IS NULL THEN
    NEW.commitment_from := (SELECT (now() AT TIME ZONE timezone)::date FROM corporation WHERE id = NEW.corporation_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER billing_account_commits BEFORE INSERT OR UPDATE OF monthly_plan, monthly_commitment ON billing_account
  FOR EACH ROW EXECUTE FUNCTION billing_account_commits();
UPDATE billing_account SET monthly_plan = monthly_plan;

-- By which cards the account and, where there is one, its reseller's account were priced; see billing/price.ts.
ALTER TABLE quote ADD COLUMN pricing jsonb, ADD COLUMN reseller_cost bigint NOT NULL DEFAULT 0;
ALTER TABLE campaign ADD COLUMN pricing jsonb, ADD COLUMN reseller_cost bigint NOT NULL DEFAULT 0;
ALTER TABLE ledger_transfer ADD COLUMN pricing jsonb;
CREATE INDEX ledger_transfer_campaign_id ON ledger_transfer (campaign_id, billing_account_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX ledger_transfer_created_at ON ledger_transfer (billing_account_id, created_at);

-- What the reseller pays for the messages of a chunk: all of one price, which the writer of chunks sees to.
ALTER TABLE chunk
  ADD COLUMN reseller_account_id bigint,
  ADD COLUMN reseller_corporation_id bigint,
  ADD COLUMN reseller_unit_price bigint,
  ADD COLUMN reseller_charge_on_delivery boolean,
  ADD CONSTRAINT chunk_reseller_whole CHECK (
    num_nulls(reseller_account_id, reseller_corporation_id, reseller_unit_price, reseller_charge_on_delivery) IN (0, 4));
CREATE INDEX chunk_reseller_account_id ON chunk (reseller_account_id) WHERE reseller_account_id IS NOT NULL;

-- The account's row and its reseller's, for whoever may use the account: what is needed to price and to reserve.
CREATE FUNCTION paying_accounts(account_id bigint) RETURNS TABLE (
  billing_account_id bigint, corporation_id bigint, is_reseller boolean, timezone text, charge_on_delivery boolean,
  usable boolean, price_plan_id bigint, price_plan_name text, version bigint, default_charge bigint, plan_enabled boolean,
  starts_on date, expires_on date
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  WITH own AS (
    SELECT b.id, c.reseller_id FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    WHERE b.id = account_id AND (coalesce(current_setting('role', true), 'none') <> 'heliograph_api'
      OR (SELECT scope_is_platform()) OR c.id = ANY ((SELECT scope_corporations())::bigint[]))
  ), payers AS (
    SELECT id, false AS is_reseller FROM own
    UNION ALL
    SELECT (SELECT min(b.id) FROM billing_account b WHERE b.corporation_id = own.reseller_id AND b.enabled), true
    FROM own WHERE own.reseller_id IS NOT NULL
  )
  SELECT b.id, b.corporation_id, y.is_reseller, c.timezone, b.charge_on_delivery, b.enabled AND NOT b.suspended,
    p.id, p.name, p.version, p.default_charge, p.enabled, p.starts_on, p.expires_on
  FROM payers y LEFT JOIN billing_account b ON b.id = y.id LEFT JOIN corporation c ON c.id = b.corporation_id
  LEFT JOIN price_plan p ON p.id = b.price_plan_id
  ORDER BY y.is_reseller
$$;

-- A card as it was at a version: the rates of a zone that hold on a day.
CREATE FUNCTION card_rates(plan_id bigint, card_version bigint, zone_id bigint, day date)
RETURNS TABLE (prefixes text[], charges bigint[]) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT coalesce(array_agg(h.prefix), '{}'), coalesce(array_agg(h.charge), '{}')
  FROM rate_history h WHERE h.price_plan_id = plan_id AND h.rate_zone_id = zone_id
    AND h.from_version <= card_version AND (h.to_version IS NULL OR h.to_version > card_version)
    AND h.starts_on <= day AND (h.ends_on IS NULL OR h.ends_on >= day)
$$;

-- The rate behind one price of a card.
CREATE FUNCTION card_rate(plan_id bigint, card_version bigint, zone_id bigint, day date, msisdn text)
RETURNS TABLE (rate_id bigint, prefix text, charge bigint) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT h.rate_id, h.prefix, h.charge
  FROM rate_history h WHERE h.price_plan_id = plan_id AND h.rate_zone_id = zone_id
    AND h.prefix = ANY (ARRAY(SELECT left(msisdn, n) FROM generate_series(1, least(length(msisdn), 15)) n))
    AND h.from_version <= card_version AND (h.to_version IS NULL OR h.to_version > card_version)
    AND h.starts_on <= day AND (h.ends_on IS NULL OR h.ends_on >= day)
  ORDER BY length(h.prefix) DESC LIMIT 1
$$;

-- A plan at a version, also one that is gone or another's by now.
CREATE FUNCTION card_plan(plan_id bigint, card_version bigint) RETURNS TABLE (name text, default_charge bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.name, c.default_charge FROM price_card c WHERE c.price_plan_id = plan_id AND c.version = card_version
$$;

-- The ledger -----------------------------------------------------------------------------------------------------------

-- What people read of the ledger: settlements of an hour together, everything else one by one. Derived from the
-- ledger in the transaction of each transfer.
CREATE TABLE credit_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  kind text NOT NULL,
  campaign_id bigint,
  user_id bigint,
  note text,
  hour timestamptz, -- null: stands alone
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  transfers bigint NOT NULL,
  first_transfer_id bigint NOT NULL,
  last_transfer_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX credit_change_hour ON credit_change (billing_account_id, kind, coalesce(campaign_id, 0), hour)
  WHERE hour IS NOT NULL;
CREATE INDEX credit_change_account ON credit_change (billing_account_id, id);
CREATE INDEX credit_change_corporation ON credit_change (corporation_id, id);

INSERT INTO credit_change (corporation_id, billing_account_id, kind, campaign_id, user_id, note, hour, amount,
  balance_after, transfers, first_transfer_id, last_transfer_id, created_at, last_at)
SELECT corporation_id, billing_account_id, kind, campaign_id, min(user_id), min(note), hour, sum(amount),
  (array_agg(balance_after ORDER BY id DESC))[1], count(*), min(id), max(id), min(created_at), max(created_at)
FROM (
  SELECT t.*, CASE WHEN kind IN ('charge', 'release', 'reservation') AND user_id IS NULL AND note IS NULL
    THEN date_trunc('hour', created_at, 'UTC') END AS hour FROM ledger_transfer t
) t GROUP BY corporation_id, billing_account_id, kind, campaign_id, hour, CASE WHEN hour IS NULL THEN id END
ORDER BY min(id);

-- The one way into the ledger. Posts transfers, each key at most once, and answers what became of each key: posted,
-- known (posted before), missing (no such account of that corporation), suspended, insufficient.
--
--   payment      cash −      credit +        (credit: what the account may still spend)
--   reservation  credit −    reserved +
--   charge       reserved −  revenue +
--   release      reserved −  credit +
--   refund       revenue −   credit +
--   commitment   credit −    revenue +
--   correction   revenue ∓   credit ±        (the sign of its amount)
--
-- The accounts' rows are taken in the order of their ids, so that no two batches wait for each other. What runs after
-- that sees the newest of them and of the keys. A caller's scope reaches its own accounts and its reseller's.
CREATE FUNCTION post_transfers(keys text[], kinds text[], account_ids bigint[], corporation_ids bigint[], amounts bigint[],
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
  ), judged AS (
    SELECT g.*, a.balance_before, CASE
        WHEN EXISTS (SELECT FROM ledger_transfer t WHERE t.key = g.key) THEN 'known'
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
        THEN date_trunc('hour', i.created_at, 'UTC') END AS hour FROM inserted i
    ) h GROUP BY h.corporation_id, h.billing_account_id, h.kind, h.campaign_id, h.hour, CASE WHEN h.hour IS NULL THEN h.id END
    ORDER BY min(h.id)
    ON CONFLICT (billing_account_id, kind, coalesce(campaign_id, 0), hour) WHERE hour IS NOT NULL DO UPDATE SET
      amount = c.amount + EXCLUDED.amount, balance_after = EXCLUDED.balance_after,
      transfers = c.transfers + EXCLUDED.transfers, last_transfer_id = EXCLUDED.last_transfer_id, last_at = EXCLUDED.last_at
  )
  SELECT d.key, d.result FROM decided d;
END $$;

-- Crossings of the two limits, told to people by the worker: one row a crossing.
CREATE TABLE balance_alert (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL,
  billing_account_id bigint NOT NULL REFERENCES billing_account ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('low_balance', 'cost_warning')),
  balance bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  told_at timestamptz
);
CREATE INDEX balance_alert_untold ON balance_alert (id) WHERE told_at IS NULL;

CREATE FUNCTION balance_crossed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF OLD.credit_balance >= NEW.low_balance_limit AND NEW.credit_balance < NEW.low_balance_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'low_balance', NEW.credit_balance);
  END IF;
  IF OLD.credit_balance >= -NEW.cost_warning_limit AND NEW.credit_balance < -NEW.cost_warning_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'cost_warning', NEW.credit_balance);
  END IF;
  RETURN NULL;
END $$;
-- The condition is looked at without calling anything, so that a batch that crosses nothing pays nothing.
CREATE TRIGGER balance_crossed AFTER UPDATE ON billing_account FOR EACH ROW
  WHEN (NEW.credit_balance < OLD.credit_balance
    AND ((OLD.credit_balance >= NEW.low_balance_limit AND NEW.credit_balance < NEW.low_balance_limit)
      OR (OLD.credit_balance >= -NEW.cost_warning_limit AND NEW.credit_balance < -NEW.cost_warning_limit)))
  EXECUTE FUNCTION balance_crossed();

-- The month of an account, closed: in one transaction with the commitment it may have cost.
CREATE TABLE statement (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  timezone text NOT NULL,
  currency text NOT NULL,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL, -- not in it any more
  opening_balance bigint NOT NULL,
  payments bigint NOT NULL,
  charges bigint NOT NULL,
  refunds bigint NOT NULL,
  commitment bigint NOT NULL,
  corrections bigint NOT NULL,
  closing_balance bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT statement_billing_account_id_month_key UNIQUE (billing_account_id, month),
  CHECK (closing_balance = opening_balance + payments + charges + refunds + commitment + corrections)
);

-- What reconciliation found; looked at by people, repaired by new transfers, never altered.
CREATE TABLE billing_finding (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rule text NOT NULL,
  billing_account_id bigint,
  detail jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TRIGGER billing_finding_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON billing_finding
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER statement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Rows as the contract shows them --------------------------------------------------------------------------------------

DROP VIEW price_plan_row, billing_account_row;
CREATE VIEW price_plan_row WITH (security_invoker) AS
  SELECT p.*, c.name AS corporation_name FROM price_plan p LEFT JOIN corporation c ON c.id = p.corporation_id;
CREATE VIEW billing_account_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, c.currency, p.name AS price_plan_name
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id JOIN price_plan p ON p.id = b.price_plan_id;
CREATE VIEW rate_row WITH (security_invoker) AS
  SELECT r.*, p.name AS price_plan_name, z.name AS rate_zone_name
  FROM rate r JOIN price_plan p ON p.id = r.price_plan_id JOIN rate_zone z ON z.id = r.rate_zone_id;

-- Row level security and grants ----------------------------------------------------------------------------------------

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
BEGIN
  FOREACH t IN ARRAY ARRAY['credit_change', 'balance_alert', 'statement', 'card_upload', 'card_upload_row', 'rate',
      'rate_history', 'price_card', 'billing_finding'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['credit_change', 'balance_alert', 'statement', 'card_upload'] LOOP
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, by_corporation);
  END LOOP;
END $$;
CREATE POLICY caller ON card_upload_row TO heliograph_api USING (card_upload_id IN (SELECT id FROM card_upload));
-- Rates are their plan's: seen by whoever sees the plan, written by whoever owns it.
CREATE POLICY seen ON rate FOR SELECT TO heliograph_api USING (price_plan_id IN (SELECT id FROM price_plan));
CREATE POLICY caller ON rate TO heliograph_api USING (price_plan_id IN (
  SELECT id FROM price_plan
  WHERE (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[])));

GRANT SELECT, INSERT, UPDATE, DELETE ON rate_zone, rate TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON card_upload TO heliograph_api;
GRANT SELECT ON card_upload_row, credit_change, balance_alert, statement TO heliograph_api;
GRANT SELECT ON rate_row, price_plan_row, billing_account_row TO heliograph_api, heliograph_worker;
GRANT SELECT ON rate_zone, rate, rate_history, price_card, card_upload, card_upload_row, credit_change, balance_alert,
  statement, billing_finding TO heliograph_worker, heliograph_sender;
GRANT INSERT, UPDATE, DELETE ON rate, card_upload_row TO heliograph_worker;
GRANT UPDATE ON card_upload, balance_alert TO heliograph_worker;
GRANT UPDATE (version) ON price_plan TO heliograph_worker; -- to lock a card while it is changed
GRANT INSERT ON statement, billing_finding TO heliograph_worker;

-- Only post_transfers writes the ledger and what it keeps of the accounts.
REVOKE INSERT ON ledger_transfer, ledger_entry FROM heliograph_api, heliograph_worker, heliograph_sender;
REVOKE INSERT, UPDATE, DELETE ON billing_account FROM heliograph_worker, heliograph_sender;
REVOKE INSERT, UPDATE ON billing_account FROM heliograph_api;
GRANT INSERT (corporation_id, name, key, price_plan_id, sms_validity, charge_on_delivery, flash_allowed, content_visible,
  enabled, suspended, cost_warning_limit, low_balance_limit, credit_limit, monthly_plan, monthly_commitment) ON billing_account TO heliograph_api;
GRANT UPDATE (name, key, price_plan_id, sms_validity, charge_on_delivery, flash_allowed, content_visible, enabled,
  suspended, cost_warning_limit, low_balance_limit, credit_limit, monthly_plan, monthly_commitment) ON billing_account TO heliograph_api;
REVOKE EXECUTE ON FUNCTION post_transfers, paying_accounts, card_rates, card_rate, card_plan FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_transfers, paying_accounts, card_rates, card_rate, card_plan
  TO heliograph_api, heliograph_worker, heliograph_sender;
