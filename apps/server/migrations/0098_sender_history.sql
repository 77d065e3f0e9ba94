-- History of sender IDs: it stays when a sender ID is deleted, and says why its messages were allowed.
CREATE TABLE sender_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  sender_id_id bigint NOT NULL, -- without a reference: the sender ID may be deleted
  sender_id text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  actor_id bigint, -- person who caused it; without a reference, as people are deleted
  reason text,
  expires_on date,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sender_event_sender_id_id ON sender_event (sender_id_id, id);
CREATE INDEX sender_event_corporation_id ON sender_event (corporation_id, sender_id, created_at);

ALTER TABLE sender_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE sender_event FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON sender_event TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[])
    AND ((SELECT scope_department()) IS NULL OR sender_is_for(sender_id_id, (SELECT scope_department()))));
CREATE POLICY inside ON sender_event TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT ON sender_event TO heliograph_api, heliograph_worker;
GRANT SELECT ON sender_event TO heliograph_sender;
GRANT USAGE ON SEQUENCE sender_event_id_seq TO heliograph_api, heliograph_worker;

-- Names under which nothing of a corporation may leave: senders look at it last before bytes leave. A deleted or renamed
-- sender ID stays here, because its messages may still wait. A number is written without leading zeros.
CREATE TABLE sender_barred (
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  sender_id text NOT NULL,
  barred boolean NOT NULL,
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (corporation_id, sender_id)
);
CREATE INDEX sender_barred_changed_in ON sender_barred (changed_in);
ALTER TABLE sender_barred ENABLE ROW LEVEL SECURITY;
ALTER TABLE sender_barred FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON sender_barred FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON sender_barred TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT ON sender_barred TO heliograph_api, heliograph_worker, heliograph_sender;

-- The setting is on for new installations. Those that have customers already keep their way until they choose.
INSERT INTO global_configuration (key, name, value, description)
  SELECT 'senders_need_approval', 'Sender IDs need approval', 'false', ''
  WHERE EXISTS (SELECT FROM corporation) ON CONFLICT DO NOTHING;
