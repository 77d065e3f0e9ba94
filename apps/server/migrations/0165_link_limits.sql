-- Parts a day that the operator has promised to a carrier, and parts a day that it may have at most.
CREATE TABLE link_limit (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  commitment integer CHECK (commitment > 0),
  cap integer CHECK (cap > 0),
  CHECK (commitment IS NULL OR cap IS NULL OR commitment <= cap)
);

-- Parts that were queued for a link on a day of the platform. They are counted in shares, each with its part of the cap,
-- so that transactions take from different shares and none waits for another. What is taken returns with a rollback.
CREATE TABLE link_day (
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  day date NOT NULL,
  share integer NOT NULL,
  used integer NOT NULL DEFAULT 0,
  cap integer, -- null: no end
  PRIMARY KEY (link_id, day, share),
  CHECK (cap IS NULL OR used <= cap)
) WITH (fillfactor = 50);

-- Time of the platform now, in its own zone. A zone that PostgreSQL does not know counts as none.
CREATE FUNCTION platform_now() RETURNS timestamp LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public AS $$
DECLARE
  zone text := coalesce((SELECT value FROM global_configuration WHERE key = 'timezone' AND enabled), 'Asia/Manila');
BEGIN
  RETURN clock_timestamp() AT TIME ZONE zone;
EXCEPTION WHEN invalid_parameter_value THEN
  RETURN clock_timestamp() AT TIME ZONE 'Asia/Manila';
END $$;

-- Makes the shares of today and tomorrow, of one link or all, and divides what is left of a cap among them.
CREATE FUNCTION prepare_link_days(wanted bigint DEFAULT NULL) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO link_day (link_id, day, share, cap)
  SELECT l.link_id, platform_now()::date + d, s, l.cap / 16 + CASE WHEN s < l.cap % 16 THEN 1 ELSE 0 END
  FROM link_limit l CROSS JOIN generate_series(0, 1) d CROSS JOIN generate_series(0, 15) s
  WHERE wanted IS NULL OR l.link_id = wanted
  ON CONFLICT (link_id, day, share) DO NOTHING
$$;
CREATE FUNCTION link_limit_changed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM prepare_link_days(NEW.link_id);
  PERFORM FROM link_day WHERE link_id = NEW.link_id AND day >= platform_now()::date ORDER BY day, share FOR UPDATE;
  UPDATE link_day d SET cap = d.used + left_.whole / 16 + CASE WHEN d.share < left_.whole % 16 THEN 1 ELSE 0 END
  FROM (SELECT day, greatest(NEW.cap - sum(used), 0) AS whole FROM link_day WHERE link_id = NEW.link_id GROUP BY day) left_
  WHERE d.link_id = NEW.link_id AND d.day = left_.day AND d.day >= platform_now()::date AND d.share < 16;
  -- Shares beyond the usual ones exist only while there is no cap.
  UPDATE link_day SET cap = CASE WHEN NEW.cap IS NULL THEN NULL ELSE used END
  WHERE link_id = NEW.link_id AND day >= platform_now()::date AND (share >= 16 OR NEW.cap IS NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER link_limit_changed AFTER INSERT OR UPDATE ON link_limit FOR EACH ROW EXECUTE FUNCTION link_limit_changed();

-- Counts parts for links that have limits, in the caller's transaction. Answers the links whose cap has no room; if there
-- is one, nothing is counted. Shares that others hold are passed by, so nobody waits and no cap is exceeded.
CREATE FUNCTION take_link_days(links bigint[], parts integer[]) RETURNS bigint[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  refused bigint[] := '{}';
  today date := platform_now()::date;
  open_left integer;
  taken integer;
  found_share integer;
  found_cap integer;
  room integer;
BEGIN
  FOR i IN 1 .. cardinality(links) LOOP
    open_left := parts[i];
    WHILE open_left > 0 LOOP
      -- One share at a time: a cursor would lock shares before they are needed.
      SELECT share, cap, cap - used INTO found_share, found_cap, room FROM link_day
      WHERE link_id = links[i] AND day = today AND (cap IS NULL OR used < cap)
      ORDER BY used = 0, share LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        EXIT WHEN EXISTS (SELECT FROM link_limit WHERE link_id = links[i] AND cap IS NOT NULL);
        INSERT INTO link_day (link_id, day, share, used) VALUES (links[i], today, 16 + (random() * 1e9)::integer, open_left)
        ON CONFLICT DO NOTHING;
        open_left := 0;
        EXIT;
      END IF;
      taken := CASE WHEN found_cap IS NULL THEN open_left ELSE least(open_left, room) END;
      UPDATE link_day SET used = used + taken WHERE link_id = links[i] AND day = today AND share = found_share;
      open_left := open_left - taken;
    END LOOP;
    IF open_left > 0 THEN refused := refused || links[i]; END IF;
  END LOOP;
  IF refused <> '{}' THEN RAISE EXCEPTION USING ERRCODE = 'HG001'; END IF;
  RETURN refused;
EXCEPTION WHEN SQLSTATE 'HG001' THEN
  RETURN refused;
END $$;

-- Links with limits as they are today: what is left of the cap (null without one), and what the commitment lacks.
CREATE FUNCTION link_limits_now() RETURNS TABLE (link_id bigint, room bigint, owed bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT l.link_id, CASE WHEN l.cap IS NOT NULL THEN coalesce(sum(d.cap - d.used), 0) END,
    greatest(coalesce(l.commitment, 0) - coalesce(sum(d.used), 0), 0)
  FROM link_limit l LEFT JOIN link_day d ON d.link_id = l.link_id AND d.day = platform_now()::date
  GROUP BY l.link_id, l.cap, l.commitment
$$;

DO $$
DECLARE f text; t text;
BEGIN
  FOREACH f IN ARRAY ARRAY['platform_now()', 'prepare_link_days(bigint)', 'take_link_days(bigint[], integer[])', 'link_limits_now()'] LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake', f);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['link_limit', 'link_day'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api, heliograph_worker', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE, DELETE ON link_limit TO heliograph_api;
GRANT DELETE ON link_day TO heliograph_worker;

-- Exchange rates, for whoever queues a message: costs in several currencies are compared by them.
CREATE FUNCTION all_exchange_rates() RETURNS TABLE (version text, from_currency text, to_currency text, day text, digits bigint, scale integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT v.version::text, r.from_currency, r.to_currency, r.day::text, r.digits, r.scale
  FROM exchange_rate_version v LEFT JOIN exchange_rate r ON true
$$;
REVOKE EXECUTE ON FUNCTION all_exchange_rates() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_exchange_rates() TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;
