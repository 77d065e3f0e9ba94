-- Exchange rates by day: one unit of a currency in another. A rate counts from its day until the next one of its pair.
-- A rate is a whole number with a scale, so that no amount is ever rounded by floating point.
CREATE TABLE exchange_rate (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  from_currency text NOT NULL CHECK (from_currency ~ '^[A-Z]{3}$'),
  to_currency text NOT NULL CHECK (to_currency ~ '^[A-Z]{3}$' AND to_currency <> from_currency),
  day date NOT NULL,
  digits bigint NOT NULL CHECK (digits > 0),
  scale smallint NOT NULL CHECK (scale BETWEEN 0 AND 12), -- the rate is digits / 10 ^ scale
  source text NOT NULL DEFAULT '', -- where the rate is from, such as the name of a bank
  created_at timestamptz NOT NULL DEFAULT now()
);
-- A pair has one rate on a day, in whichever direction it was entered, so that two rates cannot contradict each other.
CREATE UNIQUE INDEX exchange_rate_pair_key ON exchange_rate
  (least(from_currency, to_currency), greatest(from_currency, to_currency), day);

CREATE VIEW exchange_rate_row WITH (security_invoker = true) AS
  SELECT id, from_currency, to_currency, from_currency || '/' || to_currency AS pair, day,
    (digits::text || 'e-' || scale)::numeric::text AS rate, source, created_at
  FROM exchange_rate;

-- Processes keep the rates in memory and read them again only after a change.
CREATE TABLE exchange_rate_version (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  version uuid NOT NULL
);
INSERT INTO exchange_rate_version (version) VALUES (gen_random_uuid());
CREATE FUNCTION renew_exchange_rate_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE exchange_rate_version SET version = gen_random_uuid();
  RETURN NULL;
END $$;
CREATE TRIGGER renew_version AFTER INSERT OR UPDATE OR DELETE ON exchange_rate
  FOR EACH STATEMENT EXECUTE FUNCTION renew_exchange_rate_version();

ALTER TABLE exchange_rate ENABLE ROW LEVEL SECURITY;
ALTER TABLE exchange_rate FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON exchange_rate TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON exchange_rate TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON exchange_rate TO heliograph_api, heliograph_worker;
GRANT SELECT ON exchange_rate TO heliograph_sender, heliograph_intake;
GRANT SELECT ON exchange_rate_row TO heliograph_api;
GRANT SELECT ON exchange_rate_version TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;
GRANT USAGE ON SEQUENCE exchange_rate_id_seq TO heliograph_api, heliograph_worker;
