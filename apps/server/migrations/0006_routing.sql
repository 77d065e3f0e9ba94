-- Carrier routes: which links a message may take, in which order, and what is known of the links' health.

CREATE TABLE carrier_route (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT carrier_route_name_key UNIQUE,
  corporation_id bigint REFERENCES corporation, -- whose messages; null: whosever
  reseller_id bigint REFERENCES corporation,    -- those of a reseller and of every corporation it owns
  sender_id text,
  class message_class,
  prefix text NOT NULL DEFAULT '' CHECK (prefix ~ '^\d{0,15}$'),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Two routes for the same messages would leave open which one wins.
  CONSTRAINT carrier_route_conditions_key UNIQUE NULLS NOT DISTINCT (corporation_id, reseller_id, sender_id, class, prefix),
  CHECK (corporation_id IS NULL OR reseller_id IS NULL)
);
CREATE INDEX carrier_route_reseller_id ON carrier_route (reseller_id) WHERE reseller_id IS NOT NULL;

CREATE TABLE carrier_route_link (
  carrier_route_id bigint NOT NULL REFERENCES carrier_route ON DELETE CASCADE,
  link_id bigint NOT NULL REFERENCES link,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 100),
  weight integer NOT NULL CHECK (weight BETWEEN 1 AND 100),
  PRIMARY KEY (carrier_route_id, link_id)
);
CREATE INDEX carrier_route_link_link_id ON carrier_route_link (link_id);

-- Another value with every change, so that a process sees at a glance whether the routes in its memory still hold.
CREATE TABLE carrier_route_version (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version uuid NOT NULL
);
INSERT INTO carrier_route_version (version) VALUES (gen_random_uuid());
CREATE FUNCTION renew_carrier_route_version() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE carrier_route_version SET version = gen_random_uuid();
  RETURN NULL;
END $$;
CREATE TRIGGER carrier_route_changed AFTER INSERT OR UPDATE OR DELETE ON carrier_route
  FOR EACH STATEMENT EXECUTE FUNCTION renew_carrier_route_version();
CREATE TRIGGER carrier_route_link_changed AFTER INSERT OR UPDATE OR DELETE ON carrier_route_link
  FOR EACH STATEMENT EXECUTE FUNCTION renew_carrier_route_version();

-- What routing makes of a link, told every second by the process that holds its lanes. Unlike link_state, which says how
-- the link is, it changes reluctantly, or messages would be moved to and fro.
CREATE UNLOGGED TABLE link_health (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('up', 'connecting', 'down', 'throttled', 'failing')),
  since timestamptz NOT NULL,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE VIEW carrier_route_row WITH (security_invoker) AS
  SELECT r.*, c.name AS corporation_name, s.name AS reseller_name,
    (SELECT coalesce(json_agg(json_build_object('link_id', l.link_id, 'link_name', k.name, 'position', l.position,
        'weight', l.weight) ORDER BY l.position, l.link_id), '[]')
      FROM carrier_route_link l JOIN link k ON k.id = l.link_id WHERE l.carrier_route_id = r.id) AS links
  FROM carrier_route r LEFT JOIN corporation c ON c.id = r.corporation_id LEFT JOIN corporation s ON s.id = r.reseller_id;

-- Links as routing sees them at this moment. A holder that fell silent has died, or has lost the database.
CREATE VIEW link_health_row WITH (security_invoker) AS
  SELECT k.id AS link_id, k.name AS link_name, k.enabled,
    CASE WHEN k.draining THEN 'draining' WHEN NOT k.enabled THEN 'disabled'
      WHEN h.seen_at IS NULL OR h.seen_at < clock_timestamp() - interval '4 s' THEN 'unattended' ELSE h.state END AS state,
    CASE WHEN k.draining OR NOT k.enabled THEN NULL
      WHEN h.seen_at < clock_timestamp() - interval '4 s' THEN h.seen_at ELSE h.since END AS since
  FROM link k LEFT JOIN link_health h ON h.link_id = k.id;

-- All routes, for whoever queues a message: a tenant's transaction chooses a link by them and sees none of them.
CREATE FUNCTION all_carrier_routes() RETURNS SETOF carrier_route_row LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  AS 'SELECT * FROM carrier_route_row ORDER BY id';
REVOKE EXECUTE ON FUNCTION all_carrier_routes() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_carrier_routes() TO heliograph_api, heliograph_worker, heliograph_sender;

-- By which route a chunk came to its link: it tells where else its messages may go. No reference: a route may be deleted,
-- and what it has queued then stays where it is. Console and API have a throughput each.
ALTER TABLE chunk
  ADD COLUMN carrier_route_id bigint,
  ADD COLUMN channel text NOT NULL DEFAULT 'console' CHECK (channel IN ('console', 'api'));
-- Corporations take turns with what belongs to no campaign, too.
CREATE INDEX chunk_open_loose ON chunk (link_id, class, corporation_id, id) WHERE state = 'open' AND campaign_id IS NULL;

-- Messages a second.
ALTER TABLE sender_id ADD COLUMN throughput integer CHECK (throughput > 0);
DROP VIEW sender_id_row;
CREATE VIEW sender_id_row WITH (security_invoker) AS
  SELECT s.*, c.name AS corporation_name FROM sender_id s JOIN corporation c ON c.id = s.corporation_id;
CREATE INDEX sender_id_throughput ON sender_id (corporation_id) WHERE throughput IS NOT NULL;
CREATE INDEX corporation_throughput ON corporation (id) WHERE throughput IS NOT NULL OR api_throughput IS NOT NULL;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_route', 'carrier_route_link'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON carrier_route, carrier_route_link TO heliograph_api;
GRANT SELECT ON carrier_route, carrier_route_link TO heliograph_worker, heliograph_sender;
GRANT SELECT ON carrier_route_row, link_health_row, carrier_route_version, link_health TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT SELECT ON sender_id_row TO heliograph_api, heliograph_worker;
-- What waits for a link includes what is to be tried again.
GRANT SELECT ON retry TO heliograph_api;
GRANT INSERT, UPDATE ON link_health TO heliograph_sender;
