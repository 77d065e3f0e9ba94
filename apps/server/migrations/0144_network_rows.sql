-- contract: demanded: constraint carrier_route.carrier_route_conditions_key UNIQUE NULLS NOT DISTINCT (corporation_id, reseller_id, sender_id, class, network_id, prefix)
-- contract: demanded: constraint carrier_route.carrier_route_network_id_fkey FOREIGN KEY (network_id) REFERENCES network(id)
-- Networks by name, as all names are compared, and with the label that lists and choices show.
ALTER TABLE network DROP CONSTRAINT network_name_key;
CREATE UNIQUE INDEX network_name_key ON network (country, name_key(name));
ALTER TABLE network_prefix DROP CONSTRAINT network_prefix_network_id_fkey,
  ADD CONSTRAINT network_prefix_network_id_fkey FOREIGN KEY (network_id) REFERENCES network ON DELETE CASCADE;
GRANT DELETE ON network_prefix TO heliograph_api;

CREATE OR REPLACE VIEW network_row WITH (security_invoker) AS
  SELECT n.id, n.country, n.mcc, n.mnc, n.other_codes, n.name, n.enabled, n.created_at, n.shipped_key IS NOT NULL AS shipped,
    coalesce(p.prefixes, '{}') AS prefixes, coalesce(cardinality(p.prefixes), 0) AS prefixes_count,
    n.name || ' (' || n.country || coalesce(' ' || n.mcc || '-' || n.mnc, '') || ')' AS label
  FROM network n LEFT JOIN network_prefix p ON p.network_id = n.id AND p.to_version IS NULL;

-- As before, but changes of one transaction are one version, so that a file of many networks is one too.
CREATE OR REPLACE FUNCTION set_network_prefixes(wanted jsonb, source text, by_user bigint DEFAULT NULL, file_name text DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SET search_path = public AS $$
#variable_conflict use_variable
DECLARE
  next_version bigint;
  changed jsonb;
  networks integer;
  added integer;
  removed integer;
BEGIN
  SELECT s.version INTO next_version FROM network_state s FOR UPDATE;
  IF NOT EXISTS (SELECT FROM network_version v WHERE v.version = next_version AND v.xmin = pg_current_xact_id()::xid) THEN
    next_version := next_version + 1;
  END IF;
  SELECT jsonb_object_agg(c.network_id, to_jsonb(c.after)), count(*),
    sum((SELECT count(*) FROM (SELECT unnest(c.after) EXCEPT SELECT unnest(c.before)) a)),
    sum((SELECT count(*) FROM (SELECT unnest(c.before) EXCEPT SELECT unnest(c.after)) r))
  INTO changed, networks, added, removed
  FROM (
    SELECT w.network_id, coalesce(p.prefixes, '{}') AS before, w.prefixes AS after FROM (
      SELECT key::bigint AS network_id, ARRAY(SELECT DISTINCT x FROM jsonb_array_elements_text(value) x ORDER BY x) AS prefixes
      FROM jsonb_each(wanted)
    ) w LEFT JOIN network_prefix p ON p.network_id = w.network_id AND p.to_version IS NULL
  ) c WHERE c.before <> c.after;
  IF changed IS NULL THEN RETURN NULL; END IF;
  UPDATE network_prefix p SET to_version = next_version
  WHERE p.network_id IN (SELECT k::bigint FROM jsonb_object_keys(changed) k) AND p.to_version IS NULL
    AND p.from_version < next_version;
  INSERT INTO network_prefix (network_id, prefixes, from_version)
  SELECT key::bigint, ARRAY(SELECT x FROM jsonb_array_elements_text(value) x ORDER BY x), next_version
  FROM jsonb_each(changed)
  ON CONFLICT (network_id, from_version) DO UPDATE SET prefixes = excluded.prefixes;
  IF EXISTS (SELECT FROM network_prefix p, unnest(p.prefixes) x WHERE p.to_version IS NULL GROUP BY x HAVING count(*) > 1) THEN
    RAISE EXCEPTION 'a prefix of two networks' USING ERRCODE = 'unique_violation', CONSTRAINT = 'network_prefix_key';
  END IF;
  INSERT INTO network_version AS v (version, in_force_at, source, file_name, user_id, networks, added, removed)
  VALUES (next_version, clock_timestamp(), source, file_name, by_user, networks, added, removed)
  ON CONFLICT (version) DO UPDATE SET in_force_at = excluded.in_force_at, networks = v.networks + excluded.networks,
    added = v.added + excluded.added, removed = v.removed + excluded.removed;
  UPDATE network_state SET version = next_version, stamp = gen_random_uuid();
  RETURN next_version;
END $$;

-- A route may name a network.
ALTER TABLE carrier_route ADD COLUMN network_id bigint REFERENCES network;
ALTER TABLE carrier_route DROP CONSTRAINT carrier_route_conditions_key,
  ADD CONSTRAINT carrier_route_conditions_key UNIQUE NULLS NOT DISTINCT (corporation_id, reseller_id, sender_id, class, network_id, prefix);
CREATE INDEX carrier_route_network_id ON carrier_route (network_id) WHERE network_id IS NOT NULL;
CREATE OR REPLACE VIEW carrier_route_row WITH (security_invoker) AS
  SELECT r.id, r.name, r.corporation_id, r.reseller_id, r.sender_id, r.class, r.prefix, r.enabled, r.created_at,
    c.name AS corporation_name, s.name AS reseller_name,
    (SELECT coalesce(json_agg(json_build_object('link_id', l.link_id, 'link_name', k.name, 'position', l.position,
        'weight', l.weight) ORDER BY l.position, l.link_id), '[]')
      FROM carrier_route_link l JOIN link k ON k.id = l.link_id WHERE l.carrier_route_id = r.id) AS links,
    r.network_id, n.label AS network_name
  FROM carrier_route r LEFT JOIN corporation c ON c.id = r.corporation_id LEFT JOIN corporation s ON s.id = r.reseller_id
  LEFT JOIN network_row n ON n.id = r.network_id;
GRANT SELECT ON network_row TO heliograph_sender;
