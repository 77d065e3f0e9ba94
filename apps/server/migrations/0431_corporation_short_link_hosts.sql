-- A corporation may have a host of its own for its short links, before that of its reseller. `short_link_host` keeps whose each
-- host ever was, of resellers and corporations together.
-- The release before writes no host, which this allows.
-- contract: demanded: constraint corporation.corporation_short_link_host_check CHECK (((short_link_host ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$'::text) AND (length(short_link_host) <= 100)))
-- contract: demanded: constraint corporation.corporation_short_link_host_key UNIQUE (short_link_host)
-- contract: demanded: unique index corporation.corporation_short_link_host_key
ALTER TABLE corporation ADD COLUMN short_link_host text CONSTRAINT corporation_short_link_host_key UNIQUE
  CHECK (short_link_host ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$' AND length(short_link_host) <= 100);
CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links,
    c.requires_consent, c.gives_parameters, c.names_clicks, c.short_link_days, c.opt_outs_per_thousand, c.short_link_host
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;

CREATE FUNCTION keep_corporation_short_link_host() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.short_link_host IS NULL THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM reseller WHERE host = NEW.short_link_host) THEN
    RAISE unique_violation USING CONSTRAINT = 'corporation_short_link_host_key', MESSAGE = 'the host is that of a console';
  END IF;
  INSERT INTO short_link_host (host, corporation_id) VALUES (NEW.short_link_host, NEW.id) ON CONFLICT DO NOTHING;
  IF NOT EXISTS (SELECT FROM short_link_host WHERE host = NEW.short_link_host AND corporation_id = NEW.id) THEN
    RAISE unique_violation USING CONSTRAINT = 'corporation_short_link_host_key', MESSAGE = 'links of another corporation have the host';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_short_link_host AFTER INSERT OR UPDATE OF short_link_host ON corporation
  FOR EACH ROW EXECUTE FUNCTION keep_corporation_short_link_host();

-- Present hosts by corporation, as before: its own, or else that of its reseller.
CREATE OR REPLACE FUNCTION own_short_link_hosts(only_of bigint) RETURNS TABLE (corporation_id bigint, host text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT c.id, coalesce(c.short_link_host, r.short_link_host) FROM corporation c
  LEFT JOIN reseller r ON r.corporation_id = CASE WHEN c.is_reseller THEN c.id ELSE c.reseller_id END
  WHERE coalesce(c.short_link_host, r.short_link_host) IS NOT NULL AND (only_of IS NULL OR c.id = only_of)
$$;
