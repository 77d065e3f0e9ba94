-- Sender IDs as the carriers of links know them. Only the platform sees them.
CREATE TABLE sender_registration (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sender_id_id bigint NOT NULL REFERENCES sender_id ON DELETE CASCADE,
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'requested' CHECK (state IN ('requested', 'registered', 'rejected', 'ended')),
  reference text, -- of the carrier
  registered_on date,
  expires_on date, -- last day
  reason text, -- of a rejection or of the end
  changed_by bigint, -- without a reference, as people are deleted
  changed_at timestamptz NOT NULL DEFAULT now(),
  reminded_at_days integer, -- days before the end of the last reminder
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sender_registration_key UNIQUE (sender_id_id, link_id)
);
CREATE INDEX sender_registration_link_id ON sender_registration (link_id, state);
CREATE INDEX sender_registration_expires_on ON sender_registration (expires_on) WHERE state = 'registered' AND expires_on IS NOT NULL;
ALTER TABLE sender_registration ENABLE ROW LEVEL SECURITY;
ALTER TABLE sender_registration FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON sender_registration TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON sender_registration TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sender_registration TO heliograph_api;
GRANT SELECT, UPDATE ON sender_registration TO heliograph_worker;
GRANT USAGE ON SEQUENCE sender_registration_id_seq TO heliograph_api;
CREATE TRIGGER sender_registration_changed AFTER INSERT OR UPDATE OR DELETE ON sender_registration
  FOR EACH STATEMENT EXECUTE FUNCTION renew_carrier_route_version();

-- A carrier knows the name: under another one the registration is over.
CREATE FUNCTION end_registrations_of_name() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  WITH ended AS (
    UPDATE sender_registration SET state = 'ended', changed_by = NULL, changed_at = now()
    WHERE sender_id_id = NEW.id AND state IN ('requested', 'registered') RETURNING link_id
  )
  INSERT INTO sender_event (corporation_id, sender_id_id, sender_id, to_state, link_name)
    SELECT OLD.corporation_id, OLD.id, OLD.sender_id, 'registration_ended', k.name FROM ended JOIN link k ON k.id = ended.link_id;
  RETURN NULL;
END $$;
CREATE TRIGGER end_registrations_of_name AFTER UPDATE OF sender_id ON sender_id
  FOR EACH ROW WHEN (OLD.sender_id IS DISTINCT FROM NEW.sender_id) EXECUTE FUNCTION end_registrations_of_name();

-- Links that ask for a registration, and who is registered there: for whoever chooses a link. A number is written without
-- leading zeros.
CREATE FUNCTION all_registrations() RETURNS TABLE (link_id bigint, registered text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT k.id, coalesce(array_agg(s.corporation_id || ' ' || sender_written(s.sender_id)) FILTER (WHERE s.id IS NOT NULL), '{}')
  FROM link k LEFT JOIN sender_registration r ON r.link_id = k.id AND r.state = 'registered'
    LEFT JOIN sender_id s ON s.id = r.sender_id_id
  WHERE k.asks_registration AND NOT k.for_tests GROUP BY k.id
$$;
REVOKE EXECUTE ON FUNCTION all_registrations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION all_registrations() TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;

-- What waits for a link moves to others when a registration ends there.
GRANT UPDATE (link_id, not_before) ON retry TO heliograph_api, heliograph_worker;
GRANT UPDATE (link_id) ON chunk TO heliograph_worker;
