-- Domains that may stand in texts, or that may not.
CREATE TABLE web_domain (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null: for all
  sender_id_id bigint REFERENCES sender_id ON DELETE CASCADE, -- null: for all of the corporation
  domain text NOT NULL, -- as people read it
  ascii text NOT NULL, -- as DNS has it
  subdomains boolean NOT NULL DEFAULT true,
  verdict text NOT NULL DEFAULT 'allowed' CHECK (verdict IN ('allowed', 'refused')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT web_domain_key UNIQUE NULLS NOT DISTINCT (corporation_id, sender_id_id, ascii)
);
CREATE INDEX web_domain_sender_id_id ON web_domain (sender_id_id) WHERE sender_id_id IS NOT NULL;
CREATE VIEW web_domain_row WITH (security_invoker) AS
  SELECT w.*, c.name AS corporation_name, s.sender_id AS sender_id_name
  FROM web_domain w LEFT JOIN corporation c ON c.id = w.corporation_id LEFT JOIN sender_id s ON s.id = w.sender_id_id;

-- Texts with web addresses that broke the rules, counted by day.
CREATE TABLE web_link (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  sender_id text NOT NULL,
  domain text NOT NULL,
  reason text NOT NULL CHECK (reason IN ('not_allowed', 'refused', 'shortener', 'address', 'look_alike')),
  refused boolean NOT NULL, -- false: only counted
  day date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date,
  messages bigint NOT NULL,
  last_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT web_link_key UNIQUE (corporation_id, day, domain, reason, refused, sender_id)
);
CREATE INDEX web_link_day ON web_link (day);

ALTER TABLE web_domain ENABLE ROW LEVEL SECURITY;
ALTER TABLE web_domain FORCE ROW LEVEL SECURITY;
-- Everybody's texts follow the domains that are for all; only the platform decides about those.
CREATE POLICY caller_reads ON web_domain FOR SELECT TO heliograph_api USING (corporation_id IS NULL
  OR (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON web_domain TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON web_domain TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
ALTER TABLE web_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE web_link FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON web_link FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON web_link TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);

GRANT SELECT, INSERT, UPDATE, DELETE ON web_domain TO heliograph_api;
GRANT SELECT ON web_domain_row, web_link TO heliograph_api;
GRANT SELECT ON web_domain, web_domain_row TO heliograph_worker, heliograph_sender, heliograph_intake;
GRANT SELECT, INSERT, UPDATE, DELETE ON web_link TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE ON web_link TO heliograph_intake;
GRANT USAGE ON SEQUENCE web_domain_id_seq TO heliograph_api;
GRANT USAGE ON SEQUENCE web_link_id_seq TO heliograph_worker, heliograph_intake;

