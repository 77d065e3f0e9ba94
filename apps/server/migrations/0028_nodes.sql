-- The processes of the platform, wherever they run, and what they share. All times are the database's: clocks of hosts may
-- differ.

CREATE TABLE node (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE, -- of one run of one process; lanes and binds name their holder by it
  kind text NOT NULL CHECK (kind IN ('api', 'sender', 'worker', 'smpp_server')),
  host text NOT NULL,
  pid integer NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(), -- it says every second that it lives
  draining boolean NOT NULL DEFAULT false, -- somebody asked: it hands over what it holds and takes nothing
  leaving boolean NOT NULL DEFAULT false -- it is being stopped
) WITH (fillfactor = 50);

-- As long as a lease of lanes: both end in the same moment.
CREATE FUNCTION node_is_live(seen_at timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN seen_at > now() - interval '3.5 seconds';

-- A bind is over with its process. One of an earlier release, which is in no list, says so less often.
CREATE FUNCTION smpp_session_is_live(process text, seen_at timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = public
  RETURN seen_at > now() - interval '20 seconds'
    AND coalesce((SELECT node_is_live(n.seen_at) FROM node n WHERE n.name = process), true);

-- Which senders send against a corporation's, a sender ID's or a campaign's allowance: each has an equal share of it.
CREATE TABLE allowance_share (
  key text NOT NULL,
  holder text NOT NULL,
  since timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key, holder)
) WITH (fillfactor = 50);

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['node', 'allowance_share'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
  END LOOP;
END $$;
CREATE POLICY inside ON node TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
CREATE POLICY caller ON node TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON allowance_share TO CURRENT_USER, heliograph_sender USING (true);

-- Read as the owner, since the API sees neither lanes nor everybody's binds.
CREATE VIEW node_row WITH (security_barrier) AS
  SELECT n.id, n.name, n.kind, n.host, n.pid, n.version, n.started_at, n.seen_at, n.draining,
    CASE WHEN NOT node_is_live(n.seen_at) THEN 'silent' WHEN n.leaving THEN 'stopping'
      WHEN n.draining THEN 'draining' ELSE 'live' END AS state,
    (SELECT coalesce(array_agg(k.name ORDER BY k.name), '{}') FROM lane l JOIN link k ON k.id = l.link_id
      WHERE l.holder = n.name AND l.class = 'bulk' AND l.expires_at > now()) AS links,
    (SELECT count(*) FROM smpp_session e WHERE e.process = n.name AND smpp_session_is_live(e.process, e.seen_at)) AS binds
  FROM node n
  WHERE scope_is_platform();

CREATE OR REPLACE VIEW smpp_system_id_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.user_id, u.name AS user_name, s.system_id, s.password_set_at,
    s.addresses, s.max_binds, s.window_size, s.rate, s.default_class, s.classes, s.default_charset, s.octets,
    s.receives_replies, s.enabled, s.created_at,
    (SELECT count(*) FROM smpp_session e
      WHERE e.smpp_system_id_id = s.id AND smpp_session_is_live(e.process, e.seen_at)) AS binds,
    (SELECT count(*) FROM smpp_delivery d WHERE d.smpp_system_id_id = s.id) AS waiting
  FROM smpp_system_id s JOIN corporation c ON c.id = s.corporation_id LEFT JOIN user_account u ON u.id = s.user_id;

CREATE OR REPLACE VIEW smpp_session_row WITH (security_invoker) AS
  SELECT e.*, c.name AS corporation_name, s.system_id, s.user_id, u.name AS user_name
  FROM smpp_session e JOIN smpp_system_id s ON s.id = e.smpp_system_id_id JOIN corporation c ON c.id = e.corporation_id
  LEFT JOIN user_account u ON u.id = s.user_id
  WHERE smpp_session_is_live(e.process, e.seen_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON node TO heliograph_auth, heliograph_worker, heliograph_sender;
GRANT USAGE ON SEQUENCE node_id_seq TO heliograph_auth, heliograph_worker, heliograph_sender;
GRANT SELECT, INSERT, UPDATE, DELETE ON allowance_share TO heliograph_sender;
GRANT SELECT (id), UPDATE (draining) ON node TO heliograph_api;
GRANT SELECT ON node_row TO heliograph_api;
