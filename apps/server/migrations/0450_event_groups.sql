-- Event groups: how far programs that work side by side have processed the events of their corporation. `share` is the part
-- that each of them reads, `2/4` the second of four. `reader` is the connection that has it until `held_until`.
CREATE TABLE event_group (
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  share text NOT NULL,
  is_test boolean NOT NULL,
  cursor text,
  stored_at timestamptz,
  reader uuid,
  held_until timestamptz,
  touched_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (corporation_id, name, share, is_test)
);
CREATE INDEX event_group_touched_at ON event_group (touched_at);
ALTER TABLE event_group ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_group FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON event_group TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON event_group TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON event_group TO heliograph_api;
GRANT SELECT, DELETE ON event_group TO heliograph_worker;
