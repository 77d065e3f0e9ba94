-- Audit streams: entries of the activity log in OCSF, sent in order to a customer's syslog server, web address or bucket.
-- Those without a corporation send the whole log.
CREATE TABLE audit_stream (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  destination text NOT NULL CHECK (destination IN ('syslog', 'https', 's3')),
  host text,
  port integer NOT NULL DEFAULT 6514 CHECK (port BETWEEN 1 AND 65535),
  ca text, -- certificates in PEM that the server's must come from; null: those that are known publicly
  url text,
  endpoint text,
  region text NOT NULL DEFAULT 'us-east-1',
  bucket text,
  folder text NOT NULL DEFAULT '',
  username text,
  secret_sealed text,
  position bigint NOT NULL, -- of the last entry of the log that was sent or is not of this stream
  object_to bigint, -- last position of the object that is being stored
  covered_until timestamptz NOT NULL, -- start of the first hour without an object
  tries integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT now(),
  error text,
  failing_since timestamptz,
  sent_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX audit_stream_name_key ON audit_stream (corporation_id, name_key(name)) NULLS NOT DISTINCT;

CREATE VIEW audit_stream_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.name, s.enabled, s.destination, s.host, s.port, s.ca, s.url,
    s.endpoint, s.region, s.bucket, s.folder, s.username, s.secret_sealed IS NOT NULL AS has_secret, s.position, s.error,
    s.failing_since, s.sent_at, s.created_at
  FROM audit_stream s LEFT JOIN corporation c ON c.id = s.corporation_id;

ALTER TABLE audit_stream ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_stream FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON audit_stream TO CURRENT_USER, heliograph_worker USING (true);
CREATE POLICY caller ON audit_stream TO heliograph_api USING (
  (SELECT scope_is_platform()) OR ((SELECT scope_is_corporation())
    AND corporation_id = ANY ((SELECT scope_corporations())::bigint[])));
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_stream TO heliograph_api;
GRANT SELECT, UPDATE ON audit_stream TO heliograph_worker;
GRANT SELECT ON audit_stream_row TO heliograph_api;

-- Position at which a new stream begins: the caller sees only their own entries.
CREATE FUNCTION activity_position() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (SELECT coalesce(max(position), 0) FROM activity_log);
REVOKE EXECUTE ON FUNCTION activity_position() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION activity_position() TO heliograph_api;

ALTER FUNCTION sealed_values() RENAME TO sealed_values_and_files;
CREATE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT context, sealed FROM sealed_values_and_files())
  UNION ALL
  (SELECT 'audit_stream.secret.' || id, secret_sealed FROM audit_stream WHERE secret_sealed IS NOT NULL ORDER BY id DESC LIMIT 100);
END;
REVOKE EXECUTE ON FUNCTION sealed_values() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sealed_values() TO heliograph_worker, heliograph_sender;
