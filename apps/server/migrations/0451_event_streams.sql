-- Streams of events: the streams of the activity log may send the events of a corporation in place of its entries, also to
-- topics of Kafka and subjects of NATS JetStream. `cursor` is the place in the events; null for the log, which
-- has positions. The position of a stream of events lies behind the log, so that a worker of the release before sends nothing.
ALTER TABLE audit_stream ADD COLUMN contents text NOT NULL DEFAULT 'audit', ADD COLUMN types text[] NOT NULL DEFAULT '{}',
  ADD COLUMN servers text, ADD COLUMN topic text, ADD COLUMN encrypted boolean NOT NULL DEFAULT true,
  ADD COLUMN sign_in text NOT NULL DEFAULT 'scram-sha-512', ADD COLUMN cursor text;
-- The wider check refuses nothing that the program before writes:
-- contract: demanded: constraint audit_stream.audit_stream_destination_check CHECK ((destination = ANY (ARRAY['syslog'::text, 'https'::text, 's3'::text, 'kafka'::text, 'nats'::text])))
ALTER TABLE audit_stream DROP CONSTRAINT audit_stream_destination_check;
ALTER TABLE audit_stream ADD CONSTRAINT audit_stream_destination_check CHECK (destination IN ('syslog', 'https', 's3', 'kafka', 'nats'));
CREATE OR REPLACE VIEW audit_stream_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.name, s.enabled, s.destination, s.host, s.port, s.ca, s.url,
    s.endpoint, s.region, s.bucket, s.folder, s.username, s.secret_sealed IS NOT NULL AS has_secret,
    CASE WHEN s.contents = 'audit' THEN s.position ELSE 0 END AS position, s.error,
    s.failing_since, s.sent_at, s.created_at, s.contents, s.types, s.servers, s.topic, s.encrypted, s.sign_in
  FROM audit_stream s LEFT JOIN corporation c ON c.id = s.corporation_id;
