-- Mobile networks and the first digits of their numbers. The platform keeps them; everybody may read them.
CREATE TABLE network (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  mcc text CHECK (mcc ~ '^\d{3}$'),
  mnc text CHECK (mnc ~ '^\d{2,3}$'),
  other_codes text[] NOT NULL DEFAULT '{}', -- further codes of the same network, such as 515-03
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true, -- offered in forms
  shipped_key text CONSTRAINT network_shipped_key UNIQUE, -- in the table that ships; null for the operator's own
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT network_code_key UNIQUE (mcc, mnc),
  CONSTRAINT network_name_key UNIQUE (country, name),
  CHECK ((mcc IS NULL) = (mnc IS NULL))
);

-- Prefixes of a network: in force from one version up to, but without, another. Rows change only by their end.
CREATE TABLE network_prefix (
  network_id bigint NOT NULL REFERENCES network,
  prefixes text[] NOT NULL,
  from_version bigint NOT NULL,
  to_version bigint,
  PRIMARY KEY (network_id, from_version)
);
CREATE UNIQUE INDEX network_prefix_now ON network_prefix (network_id) WHERE to_version IS NULL;

-- Versions of all prefixes together.
CREATE TABLE network_version (
  version bigint PRIMARY KEY,
  in_force_at timestamptz NOT NULL,
  source text NOT NULL CHECK (source IN ('shipped', 'form', 'upload')),
  file_name text,
  user_id bigint, -- without a reference, as people are deleted
  networks integer NOT NULL, -- whose prefixes changed
  added integer NOT NULL,
  removed integer NOT NULL
);
CREATE INDEX network_version_in_force_at ON network_version (in_force_at);

-- The stamp is another one after every change, so that a process sees whether the table in its memory still holds.
CREATE TABLE network_state (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version bigint NOT NULL DEFAULT 0,
  stamp uuid NOT NULL DEFAULT gen_random_uuid(),
  shipped text -- digest of the shipped table that was taken over last
);
INSERT INTO network_state DEFAULT VALUES;
CREATE FUNCTION renew_network_stamp() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE network_state SET stamp = gen_random_uuid();
  RETURN NULL;
END $$;
CREATE TRIGGER network_changed AFTER INSERT OR UPDATE OR DELETE ON network
  FOR EACH STATEMENT EXECUTE FUNCTION renew_network_stamp();

-- Sets the prefixes of networks, as one version; `wanted` maps ids to all their prefixes. Answers the version, or null if
-- nothing changes. One prefix belongs to one network.
CREATE FUNCTION set_network_prefixes(wanted jsonb, source text, by_user bigint DEFAULT NULL, file_name text DEFAULT NULL)
RETURNS bigint LANGUAGE plpgsql SET search_path = public AS $$
#variable_conflict use_variable
DECLARE
  next_version bigint;
  changed jsonb;
  networks integer;
  added integer;
  removed integer;
BEGIN
  SELECT s.version + 1 INTO next_version FROM network_state s FOR UPDATE;
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
  WHERE p.network_id IN (SELECT k::bigint FROM jsonb_object_keys(changed) k) AND p.to_version IS NULL;
  INSERT INTO network_prefix (network_id, prefixes, from_version)
  SELECT key::bigint, ARRAY(SELECT x FROM jsonb_array_elements_text(value) x ORDER BY x), next_version
  FROM jsonb_each(changed) WHERE value <> '[]';
  IF EXISTS (SELECT FROM network_prefix p, unnest(p.prefixes) x WHERE p.to_version IS NULL GROUP BY x HAVING count(*) > 1) THEN
    RAISE EXCEPTION 'a prefix of two networks' USING ERRCODE = 'unique_violation', CONSTRAINT = 'network_prefix_key';
  END IF;
  INSERT INTO network_version (version, in_force_at, source, file_name, user_id, networks, added, removed)
  VALUES (next_version, clock_timestamp(), source, file_name, by_user, networks, added, removed);
  UPDATE network_state SET version = next_version, stamp = gen_random_uuid();
  RETURN next_version;
END $$;

CREATE VIEW network_row WITH (security_invoker) AS
  SELECT n.id, n.country, n.mcc, n.mnc, n.other_codes, n.name, n.enabled, n.created_at, n.shipped_key IS NOT NULL AS shipped,
    coalesce(p.prefixes, '{}') AS prefixes
  FROM network n LEFT JOIN network_prefix p ON p.network_id = n.id AND p.to_version IS NULL;

CREATE VIEW network_version_row WITH (security_invoker) AS
  SELECT v.version AS id, v.in_force_at, v.source, v.file_name, v.user_id, u.name AS user_name, v.networks, v.added, v.removed
  FROM network_version v LEFT JOIN user_account u ON u.id = v.user_id;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['network', 'network_prefix', 'network_version', 'network_state'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY reading ON %I FOR SELECT TO heliograph_api USING (true)', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON network TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON network_prefix, network_version, network_state TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON network, network_prefix, network_version, network_state TO heliograph_worker;
GRANT SELECT ON network, network_prefix, network_version, network_state TO heliograph_sender, heliograph_intake;
GRANT SELECT ON network_row, network_version_row TO heliograph_api, heliograph_worker;
REVOKE EXECUTE ON FUNCTION set_network_prefixes(jsonb, text, bigint, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION set_network_prefixes(jsonb, text, bigint, text) TO heliograph_api, heliograph_worker;
