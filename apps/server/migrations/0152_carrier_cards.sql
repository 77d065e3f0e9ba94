-- Prices that carriers take: cards of a link, each with its rates. A card is a draft until it is applied. From then on
-- neither it nor its rates ever change, so a cost is found again from link, number, network and instant.
CREATE TABLE carrier_card (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL REFERENCES link,
  name text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  charged_on text NOT NULL DEFAULT 'submit' CHECK (charged_on IN ('submit', 'delivery')),
  starts_on date NOT NULL, -- in the platform's time zone
  ends_on date, -- last day; null: no end
  version integer, -- null: a draft
  applied_at timestamptz,
  applied_by bigint, -- without a reference, as people are deleted
  timezone text, -- of the platform when it was applied: its days are in it
  from_at timestamptz, -- a minute after it was applied at the earliest: every process has read it by then
  until_at timestamptz,
  rates integer NOT NULL DEFAULT 0,
  turns date[] NOT NULL DEFAULT '{}', -- days on which some of its rates begin, or are over
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (ends_on >= starts_on),
  CHECK (num_nulls(version, applied_at, timezone, from_at) IN (0, 4))
);
CREATE UNIQUE INDEX carrier_card_name_key ON carrier_card (link_id, name_key(name));
CREATE UNIQUE INDEX carrier_card_version_key ON carrier_card (link_id, version) WHERE version IS NOT NULL;

-- A rate names a prefix or a network: a country by its MCC, or one network of it by MCC and MNC.
CREATE TABLE carrier_rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  carrier_card_id bigint NOT NULL REFERENCES carrier_card ON DELETE CASCADE,
  prefix text CHECK (prefix ~ '^[0-9]{1,15}$'),
  mcc text CHECK (mcc ~ '^[0-9]{3}$'),
  mnc text CHECK (mnc ~ '^[0-9]{2,3}$'),
  class message_class, -- null: every class
  sender_kind text CHECK (sender_kind IN ('alphanumeric', 'short_code', 'number')), -- null: every kind
  amount bigint NOT NULL CHECK (amount >= 0), -- millionths of the card's currency for a part
  starts_on date, -- null: from the card's first day
  ends_on date, -- last day; null: as the card
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (ends_on >= starts_on),
  CHECK ((prefix IS NULL) <> (mcc IS NULL)),
  CHECK (mnc IS NULL OR mcc IS NOT NULL)
);
CREATE UNIQUE INDEX carrier_rate_key
  ON carrier_rate (carrier_card_id, prefix, mcc, mnc, class, sender_kind, starts_on) NULLS NOT DISTINCT;
CREATE INDEX carrier_rate_page ON carrier_rate (carrier_card_id, id);

-- Names of the columns that the carrier of a link sends, as a person assigned them last.
CREATE TABLE carrier_card_layout (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  columns jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION keep_applied_card() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF OLD.applied_at IS NOT NULL THEN
    RAISE EXCEPTION 'an applied card never changes' USING ERRCODE = 'check_violation', CONSTRAINT = 'carrier_card_applied';
  END IF;
  IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_applied_card BEFORE UPDATE OR DELETE ON carrier_card
  FOR EACH ROW EXECUTE FUNCTION keep_applied_card();

-- Counts the rates of drafts and refuses changes of applied cards. The lock makes whoever applies the card wait.
CREATE FUNCTION carrier_rates_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  changed bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN SELECT array_agg(DISTINCT carrier_card_id) INTO changed FROM new_rate;
  ELSIF TG_OP = 'DELETE' THEN SELECT array_agg(DISTINCT carrier_card_id) INTO changed FROM old_rate;
  ELSE
    SELECT array_agg(DISTINCT carrier_card_id) INTO changed
    FROM (SELECT carrier_card_id FROM old_rate UNION SELECT carrier_card_id FROM new_rate) e;
  END IF;
  PERFORM FROM carrier_card WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM carrier_card WHERE id = ANY (changed) AND applied_at IS NOT NULL) THEN
    RAISE EXCEPTION 'rates of an applied card never change' USING ERRCODE = 'check_violation', CONSTRAINT = 'carrier_card_applied';
  END IF;
  IF TG_OP = 'INSERT' THEN
    UPDATE carrier_card c SET rates = c.rates + n.count
    FROM (SELECT carrier_card_id, count(*) FROM new_rate GROUP BY 1) n WHERE c.id = n.carrier_card_id;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE carrier_card c SET rates = c.rates - n.count
    FROM (SELECT carrier_card_id, count(*) FROM old_rate GROUP BY 1) n WHERE c.id = n.carrier_card_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER carrier_rate_added AFTER INSERT ON carrier_rate REFERENCING NEW TABLE AS new_rate
  FOR EACH STATEMENT EXECUTE FUNCTION carrier_rates_changed();
CREATE TRIGGER carrier_rate_updated AFTER UPDATE ON carrier_rate REFERENCING OLD TABLE AS old_rate NEW TABLE AS new_rate
  FOR EACH STATEMENT EXECUTE FUNCTION carrier_rates_changed();
CREATE TRIGGER carrier_rate_removed AFTER DELETE ON carrier_rate REFERENCING OLD TABLE AS old_rate
  FOR EACH STATEMENT EXECUTE FUNCTION carrier_rates_changed();

CREATE VIEW carrier_card_row WITH (security_invoker) AS
  SELECT c.id, c.link_id, l.name AS link_name, c.name, c.currency, c.charged_on, c.starts_on, c.ends_on, c.version, c.rates,
    c.applied_at, c.from_at, c.until_at, u.name AS applied_by_name, c.created_at,
    CASE WHEN c.applied_at IS NULL THEN 'draft' WHEN c.from_at > now() THEN 'scheduled'
      WHEN c.until_at <= now() OR EXISTS (SELECT FROM carrier_card n WHERE n.link_id = c.link_id AND n.version > c.version
        AND n.from_at <= now() AND (n.until_at IS NULL OR n.until_at > now())) THEN 'past'
      ELSE 'in_force' END AS state
  FROM carrier_card c JOIN link l ON l.id = c.link_id LEFT JOIN user_account u ON u.id = c.applied_by;
CREATE VIEW carrier_rate_row WITH (security_invoker) AS
  SELECT r.*, c.name AS carrier_card_name, c.currency, c.link_id, l.name AS link_name, c.applied_at IS NULL AS open
  FROM carrier_rate r JOIN carrier_card c ON c.id = r.carrier_card_id JOIN link l ON l.id = c.link_id;

-- All applied cards, and the rates of one of them: for whoever records a cost or chooses a link.
CREATE FUNCTION all_carrier_cards() RETURNS TABLE (id bigint, link_id bigint, version integer, currency text, charged_on text,
  timezone text, from_at float8, until_at float8, turns date[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, c.link_id, c.version, c.currency, c.charged_on, c.timezone, extract(epoch FROM c.from_at)::float8 * 1000,
    extract(epoch FROM c.until_at)::float8 * 1000, c.turns
  FROM carrier_card c WHERE c.applied_at IS NOT NULL ORDER BY c.link_id, c.version
$$;
CREATE FUNCTION rates_of_carrier_card(card_id bigint, on_day date, after_id bigint, most integer)
RETURNS TABLE (id bigint, prefix text, mcc text, mnc text, class message_class, sender_kind text, amount bigint, starts_on date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT r.id, r.prefix, r.mcc, r.mnc, r.class, r.sender_kind, r.amount, r.starts_on FROM carrier_rate r
  WHERE r.carrier_card_id = card_id AND r.id > after_id AND (r.starts_on IS NULL OR r.starts_on <= on_day)
    AND (r.ends_on IS NULL OR r.ends_on >= on_day)
  ORDER BY r.id LIMIT most
$$;
REVOKE EXECUTE ON FUNCTION all_carrier_cards, rates_of_carrier_card FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_carrier_cards, rates_of_carrier_card
  TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_card', 'carrier_rate', 'carrier_card_layout'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_api', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT SELECT ON carrier_card_row, carrier_rate_row TO heliograph_api, heliograph_worker;
GRANT USAGE ON SEQUENCE carrier_card_id_seq, carrier_rate_id_seq TO heliograph_api, heliograph_worker;
