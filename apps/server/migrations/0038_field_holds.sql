-- Who last limited a field: what somebody higher set is not undone by somebody lower. Ranks: 0 the platform's people, 1 the
-- reseller of the corporation, 2 the corporation's own, 3 one of its departments.
CREATE TABLE field_hold (
  record text NOT NULL, -- the resource's name
  record_id bigint NOT NULL,
  field text NOT NULL,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 3),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (record, record_id, field)
);
CREATE INDEX field_hold_corporation_id ON field_hold (corporation_id);
ALTER TABLE field_hold ENABLE ROW LEVEL SECURITY;
ALTER TABLE field_hold FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON field_hold TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON field_hold TO CURRENT_USER USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON field_hold TO heliograph_api;

-- What is switched off or limited at the upgrade was decided by the platform or the reseller, as the log says; where it says
-- nothing, by whoever is nearest to the record, who may then change it as before.
INSERT INTO field_hold (record, record_id, field, corporation_id, rank)
SELECT DISTINCT ON (c.id) 'corporations', c.id, 'enabled', c.id, 0
FROM corporation c JOIN activity_log l ON l.subject_type = 'corporations' AND l.subject_id = c.id
  AND l.properties #>> '{before,enabled}' = 'true' AND l.properties #>> '{after,enabled}' = 'false'
JOIN user_account u ON u.id = l.causer_id AND u.scope_level < 2
WHERE NOT c.enabled;
INSERT INTO field_hold (record, record_id, field, corporation_id, rank)
SELECT 'corporations', c.id, f.name, c.id, 0
FROM corporation c CROSS JOIN LATERAL (VALUES ('throughput', c.throughput), ('api_throughput', c.api_throughput)) AS f (name, value)
WHERE f.value IS NOT NULL AND c.reseller_id IS NOT NULL AND EXISTS (
  SELECT FROM activity_log l JOIN user_account u ON u.id = l.causer_id AND u.scope_level < 2
  WHERE l.subject_type = 'corporations' AND l.subject_id = c.id
    AND l.properties #>> ARRAY['after', f.name] = f.value::text
    AND l.properties #>> ARRAY['before', f.name] IS DISTINCT FROM f.value::text);
