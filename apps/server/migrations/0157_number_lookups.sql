-- Services that tell the network of a number: a number that was ported is in another one than its prefix says.
CREATE TABLE number_source (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  driver text NOT NULL CHECK (driver IN ('http', 'enum', 'dump', 'simulator')),
  enabled boolean NOT NULL DEFAULT true,
  position integer NOT NULL DEFAULT 1 CHECK (position BETWEEN 1 AND 100), -- lower ones are asked first
  prefix text NOT NULL DEFAULT '' CHECK (prefix ~ '^\d{0,15}$'), -- of the numbers that it knows
  -- HTTP: {number} or {numbers} in the address; paths of the answer's fields
  url text,
  authorization_sealed text,
  batch_size integer NOT NULL DEFAULT 1 CHECK (batch_size BETWEEN 1 AND 1000),
  items_path text NOT NULL DEFAULT '',
  number_path text,
  mcc_path text,
  mnc_path text,
  state_path text,
  dead_values text[] NOT NULL DEFAULT '{}',
  -- ENUM (RFC 6116)
  server text,
  zone text,
  cache_days integer CHECK (cache_days BETWEEN 1 AND 3650), -- null: an answer does not age
  daily_lookups integer CHECK (daily_lookups >= 0),
  daily_spend bigint CHECK (daily_spend >= 0), -- millionths
  unit_cost bigint NOT NULL DEFAULT 0 CHECK (unit_cost >= 0), -- of one lookup, millionths
  currency text NOT NULL DEFAULT 'EUR' CHECK (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX number_source_name_key ON number_source (name_key(name));

-- The secrets of services are sealed too, so they say whether a process has the right key.
CREATE OR REPLACE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT 'link.password_sealed:' || id, password_sealed FROM link WHERE password_sealed <> '' ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'routing.password_sealed.' || id, password_sealed FROM routing WHERE password_sealed IS NOT NULL ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'reseller.email_password_sealed:' || id, email_password_sealed FROM reseller WHERE email_password_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'callback_secret.sealed.' || callback_endpoint_id, sealed FROM callback_secret ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'user_totp.secret_sealed:' || user_id, secret_sealed FROM user_totp ORDER BY user_id DESC LIMIT 100)
  UNION ALL
  (SELECT 'number_source.authorization.' || id, authorization_sealed FROM number_source WHERE authorization_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'push_key.private_key_sealed', private_key_sealed FROM push_key);
END;

-- Lookups of a day (UTC), counted before they are asked, so that no two together exceed a budget.
CREATE TABLE number_source_use (
  number_source_id bigint NOT NULL REFERENCES number_source ON DELETE CASCADE,
  day date NOT NULL,
  lookups integer NOT NULL DEFAULT 0,
  answered integer NOT NULL DEFAULT 0,
  spend bigint NOT NULL DEFAULT 0, -- millionths
  PRIMARY KEY (number_source_id, day)
);

CREATE TABLE number_lookup (
  msisdn text PRIMARY KEY CHECK (msisdn ~ '^\d{3,15}$'),
  number_source_id bigint NOT NULL REFERENCES number_source ON DELETE CASCADE,
  network_id bigint REFERENCES network ON DELETE CASCADE, -- null: the service does not know it
  dead boolean NOT NULL DEFAULT false,
  looked_up_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX number_lookup_source ON number_lookup (number_source_id, looked_up_at);
CREATE INDEX number_lookup_network_id ON number_lookup (network_id);

-- Numbers that wait to be asked. Losing them costs nothing: their prefix decides.
CREATE UNLOGGED TABLE number_wanted (
  msisdn text PRIMARY KEY,
  wanted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX number_wanted_wanted_at ON number_wanted (wanted_at);

-- True while a service is enabled: without one, nothing is asked or read for a message.
ALTER TABLE network_state ADD COLUMN lookups boolean NOT NULL DEFAULT false;
CREATE FUNCTION number_source_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE network_state SET lookups = EXISTS (SELECT FROM number_source WHERE enabled);
  RETURN NULL;
END $$;
CREATE TRIGGER number_source_changed AFTER INSERT OR UPDATE OR DELETE ON number_source
  FOR EACH STATEMENT EXECUTE FUNCTION number_source_changed();

-- Takes as many of the wanted lookups as the day's budgets allow, and answers how many. Their cost is counted with them.
CREATE FUNCTION take_lookups(source_id bigint, wanted integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  taken integer;
BEGIN
  INSERT INTO number_source_use (number_source_id, day) VALUES (source_id, today) ON CONFLICT DO NOTHING;
  PERFORM FROM number_source_use WHERE number_source_id = source_id AND day = today FOR UPDATE;
  SELECT greatest(0, least(wanted::bigint, s.daily_lookups - u.lookups,
    CASE WHEN s.unit_cost > 0 THEN (s.daily_spend - u.spend) / s.unit_cost END))::integer INTO taken
  FROM number_source s JOIN number_source_use u ON u.number_source_id = s.id AND u.day = today
  WHERE s.id = source_id AND s.enabled;
  UPDATE number_source_use u SET lookups = u.lookups + taken, spend = u.spend + taken * s.unit_cost
  FROM number_source s WHERE s.id = source_id AND u.number_source_id = source_id AND u.day = today AND taken > 0;
  RETURN coalesce(taken, 0);
END $$;

-- What lookups say of numbers, as far as they are not too old.
CREATE FUNCTION looked_up(numbers text[]) RETURNS TABLE (msisdn text, network_id bigint, dead boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT l.msisdn, l.network_id, l.dead FROM number_lookup l JOIN number_source s ON s.id = l.number_source_id
  WHERE l.msisdn = ANY (numbers) AND s.enabled
    AND (s.cache_days IS NULL OR l.looked_up_at > now() - s.cache_days * interval '1 day')
$$;

-- Notes numbers that no lookup knows yet, and answers how many. They are asked later, and nothing waits for them.
CREATE FUNCTION want_lookups(numbers text[]) RETURNS integer LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public AS $$
  WITH noted AS (
    INSERT INTO number_wanted (msisdn)
    SELECT DISTINCT n FROM unnest(numbers) n
    WHERE (SELECT lookups FROM network_state) AND NOT EXISTS (SELECT FROM looked_up(ARRAY[n]))
      AND EXISTS (SELECT FROM number_source s WHERE s.enabled AND s.driver <> 'dump' AND starts_with(n, s.prefix))
    ORDER BY n
    ON CONFLICT DO NOTHING RETURNING 1
  )
  SELECT count(*)::integer FROM noted
$$;

CREATE VIEW number_source_row WITH (security_invoker) AS
  SELECT s.id, s.name, s.driver, s.enabled, s.position, s.prefix, s.url, s.batch_size, s.items_path, s.number_path, s.mcc_path,
    s.mnc_path, s.state_path, s.dead_values, s.server, s.zone, s.cache_days, s.daily_lookups, s.currency, s.created_at,
    trim_scale(s.daily_spend / 1000000::numeric)::text AS daily_spend, trim_scale(s.unit_cost / 1000000::numeric)::text AS unit_cost,
    s.authorization_sealed IS NOT NULL AS has_authorization,
    coalesce(u.lookups, 0) AS lookups_today, coalesce(u.answered, 0) AS answered_today,
    trim_scale(coalesce(u.spend, 0) / 1000000::numeric)::text AS spend_today
  FROM number_source s LEFT JOIN number_source_use u ON u.number_source_id = s.id AND u.day = (now() AT TIME ZONE 'UTC')::date;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['number_source', 'number_source_use', 'number_lookup', 'number_wanted'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON number_source TO heliograph_api;
GRANT SELECT, DELETE ON number_lookup, number_source_use TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON number_source_use, number_lookup, number_wanted TO heliograph_worker;
GRANT SELECT ON number_source TO heliograph_worker;
GRANT SELECT ON number_source_row TO heliograph_api;
REVOKE EXECUTE ON FUNCTION take_lookups(bigint, integer), looked_up(text[]), want_lookups(text[]), number_source_changed() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_lookups(bigint, integer) TO heliograph_worker;
GRANT EXECUTE ON FUNCTION looked_up(text[]), want_lookups(text[]) TO heliograph_api, heliograph_worker, heliograph_intake;
