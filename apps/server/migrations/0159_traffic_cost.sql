-- Costs of messages: what carriers take for them, in the currency of the card, in millionths. The transaction that records
-- outcomes adds to the sums and to the accounts of the carriers.

-- Sums by quarter of an hour of the message, as in traffic_quarter, and by link, network and card. Parts without a card or
-- rate have the card 0 and count as unknown. What people paid for the same parts is beside their cost.
CREATE TABLE traffic_cost (
  quarter timestamptz NOT NULL,
  corporation_id bigint NOT NULL,
  department_id bigint NOT NULL, -- 0: none
  user_id bigint NOT NULL, -- 0: none
  campaign_id bigint NOT NULL, -- 0: none
  link_id bigint NOT NULL,
  network_id bigint NOT NULL, -- 0: not known
  carrier_card_id bigint NOT NULL, -- 0: unknown cost
  parts bigint NOT NULL DEFAULT 0, -- that the carrier accepted
  unknown_parts bigint NOT NULL DEFAULT 0,
  cost bigint NOT NULL DEFAULT 0, -- millionths of the card's currency
  spend bigint NOT NULL DEFAULT 0, -- thousandths that the corporation's account paid
  reseller_spend bigint NOT NULL DEFAULT 0, -- thousandths that the reseller's account paid
  PRIMARY KEY (quarter, corporation_id, department_id, user_id, campaign_id, link_id, network_id, carrier_card_id)
) WITH (fillfactor = 70);
CREATE INDEX traffic_cost_link_id ON traffic_cost (link_id, quarter);
CREATE INDEX traffic_cost_corporation_id ON traffic_cost (corporation_id, quarter);
CREATE INDEX traffic_cost_campaign_id ON traffic_cost (campaign_id) WHERE campaign_id > 0;

-- What is owed to the carrier of a link, by currency. Only post_costs writes this and the entries behind it.
CREATE TABLE carrier_account (
  link_id bigint NOT NULL,
  currency text NOT NULL,
  owed bigint NOT NULL DEFAULT 0, -- millionths
  PRIMARY KEY (link_id, currency)
) WITH (fillfactor = 70);
CREATE TABLE cost_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL CONSTRAINT cost_transfer_key_key UNIQUE,
  kind text NOT NULL CHECK (kind IN ('cost', 'correction')),
  link_id bigint NOT NULL,
  carrier_card_id bigint NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0), -- millionths; negative for what is not owed after all
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX cost_transfer_link_id ON cost_transfer (link_id, created_at);
-- Double entry: what the carrier gets is what the traffic costs.
CREATE TABLE cost_entry (
  transfer_id bigint NOT NULL REFERENCES cost_transfer,
  book text NOT NULL CHECK (book IN ('carrier', 'cost')),
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transfer_id, book)
);
CREATE TRIGGER cost_transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON cost_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER cost_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON cost_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- The one way into the carriers' accounts. Posts each key at most once. The accounts are taken in one order, so that no two
-- batches wait for each other.
CREATE FUNCTION post_costs(keys text[], kinds text[], link_ids bigint[], card_ids bigint[], currencies text[], amounts bigint[])
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  posted bigint;
BEGIN
  INSERT INTO carrier_account (link_id, currency)
    SELECT DISTINCT w.link_id, w.currency FROM unnest(link_ids, currencies) AS w (link_id, currency)
    WHERE NOT EXISTS (SELECT FROM carrier_account a WHERE a.link_id = w.link_id AND a.currency = w.currency)
    ORDER BY 1, 2 ON CONFLICT DO NOTHING;
  PERFORM FROM carrier_account a WHERE a.link_id = ANY (link_ids) ORDER BY a.link_id, a.currency FOR NO KEY UPDATE;
  WITH added AS (
    INSERT INTO cost_transfer (key, kind, link_id, carrier_card_id, currency, amount)
    SELECT w.key, w.kind, w.link_id, w.card_id, w.currency, w.amount
    FROM unnest(keys, kinds, link_ids, card_ids, currencies, amounts) AS w (key, kind, link_id, card_id, currency, amount)
    ON CONFLICT (key) DO NOTHING RETURNING id, link_id, currency, amount
  ), entered AS (
    INSERT INTO cost_entry (transfer_id, book, amount)
    SELECT a.id, b.book, b.sign * a.amount FROM added a CROSS JOIN (VALUES ('carrier', 1), ('cost', -1)) AS b (book, sign)
  ), moved AS (
    UPDATE carrier_account c SET owed = c.owed + m.amount
    FROM (SELECT link_id, currency, sum(amount)::bigint AS amount FROM added GROUP BY 1, 2) m
    WHERE c.link_id = m.link_id AND c.currency = m.currency
  )
  SELECT count(*) INTO posted FROM added;
  RETURN posted;
END $$;
REVOKE EXECUTE ON FUNCTION post_costs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_costs TO heliograph_worker, heliograph_sender;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['traffic_cost', 'carrier_account', 'cost_transfer', 'cost_entry'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api, heliograph_worker', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON traffic_cost TO heliograph_worker, heliograph_sender;
