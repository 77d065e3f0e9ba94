-- A reseller may have a host of its own for the short links of its customers.
-- The release before writes no host, which all of these allow.
-- contract: demanded: constraint reseller.reseller_short_link_host_check CHECK (((short_link_host ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'::text) AND (length(short_link_host) <= 100)))
-- contract: demanded: constraint reseller.reseller_short_link_host_key UNIQUE (short_link_host)
-- contract: demanded: unique index reseller.reseller_short_link_host_key
ALTER TABLE reseller ADD COLUMN short_link_host text CONSTRAINT reseller_short_link_host_key UNIQUE
  CHECK (short_link_host ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$' AND length(short_link_host) <= 100);
GRANT SELECT (short_link_host), INSERT (short_link_host), UPDATE (short_link_host) ON reseller TO heliograph_api;

-- Hosts that were ever in short links, and whose: links keep working under the host that they were sent with.
CREATE TABLE short_link_host (
  host text NOT NULL CONSTRAINT short_link_host_pkey PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE, -- of the reseller
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX short_link_host_corporation_id ON short_link_host (corporation_id);
ALTER TABLE short_link_host ENABLE ROW LEVEL SECURITY;
ALTER TABLE short_link_host FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON short_link_host FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON short_link_host TO CURRENT_USER USING (true);
GRANT SELECT ON short_link_host TO heliograph_api;

CREATE FUNCTION keep_short_link_host() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  -- One host answers either a console or short links.
  IF NEW.host IS NOT NULL AND EXISTS (SELECT FROM short_link_host WHERE host = NEW.host) THEN
    RAISE unique_violation USING CONSTRAINT = 'reseller_host_key', MESSAGE = 'the host is in short links';
  END IF;
  IF NEW.short_link_host IS NULL THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM reseller WHERE host = NEW.short_link_host) THEN
    RAISE unique_violation USING CONSTRAINT = 'reseller_short_link_host_key', MESSAGE = 'the host is that of a console';
  END IF;
  INSERT INTO short_link_host (host, corporation_id) VALUES (NEW.short_link_host, NEW.corporation_id) ON CONFLICT DO NOTHING;
  IF NOT EXISTS (SELECT FROM short_link_host WHERE host = NEW.short_link_host AND corporation_id = NEW.corporation_id) THEN
    RAISE unique_violation USING CONSTRAINT = 'reseller_short_link_host_key', MESSAGE = 'links of another reseller have the host';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_short_link_host AFTER INSERT OR UPDATE OF base_url, short_link_host ON reseller
  FOR EACH ROW EXECUTE FUNCTION keep_short_link_host();

-- Present hosts by corporation: of one, or of all with `only` null. A tenant's call does not see its reseller's record.
CREATE FUNCTION own_short_link_hosts(only_of bigint) RETURNS TABLE (corporation_id bigint, host text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, r.short_link_host FROM reseller r
  JOIN corporation c ON r.corporation_id = CASE WHEN c.is_reseller THEN c.id ELSE c.reseller_id END
  WHERE r.short_link_host IS NOT NULL AND (only_of IS NULL OR c.id = only_of)
$$;
CREATE FUNCTION all_short_link_hosts() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS 'SELECT host FROM short_link_host';
REVOKE EXECUTE ON FUNCTION own_short_link_hosts(bigint), all_short_link_hosts() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION own_short_link_hosts(bigint) TO heliograph_api, heliograph_worker, heliograph_intake;
GRANT EXECUTE ON FUNCTION all_short_link_hosts() TO heliograph_api;
