-- contract: demanded: constraint sender_id.sender_id_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'rejected'::text, 'suspended'::text, 'expired'::text])))
-- A sender ID is requested, decided, and may be suspended or expire. Those that exist, and those that the last release's
-- program adds during an upgrade, are approved.
ALTER TABLE sender_id
  ADD COLUMN state text NOT NULL DEFAULT 'approved'
    CHECK (state IN ('draft', 'submitted', 'approved', 'rejected', 'suspended', 'expired')),
  ADD COLUMN purpose text,
  ADD COLUMN expires_on date,
  ADD COLUMN state_reason text, -- why it was rejected or suspended
  ADD COLUMN requested_by bigint,
  ADD COLUMN held_name boolean NOT NULL DEFAULT false, -- its name is protected or looks like one: only the platform decides
  ADD COLUMN reminded_at_days integer; -- days before the expiry of the last reminder

-- The one answer to whether messages may leave under it, in every place that asks.
ALTER TABLE sender_id ADD COLUMN usable boolean NOT NULL
  GENERATED ALWAYS AS (enabled AND NOT withheld AND state = 'approved') STORED;
CREATE INDEX sender_id_expires_on ON sender_id (expires_on) WHERE state = 'approved' AND expires_on IS NOT NULL;

CREATE FUNCTION sender_written(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(name, '^00(?=\d+$)', '');

CREATE FUNCTION bar_sender() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  owner bigint := coalesce(NEW.corporation_id, OLD.corporation_id);
  written text;
BEGIN
  FOR written IN SELECT DISTINCT sender_written(n) FROM unnest(ARRAY[OLD.sender_id, NEW.sender_id]) AS n WHERE n IS NOT NULL LOOP
    IF EXISTS (SELECT FROM sender_id s WHERE s.corporation_id = owner AND s.sender_id IN (written, '00' || written)
        AND s.state = 'approved' AND NOT s.withheld) THEN
      UPDATE sender_barred b SET barred = false, changed_in = pg_current_xact_id(), changed_at = now()
        WHERE b.corporation_id = owner AND b.sender_id = written AND b.barred;
    ELSE
      INSERT INTO sender_barred AS b (corporation_id, sender_id, barred)
        SELECT owner, written, true FROM corporation c WHERE c.id = owner
        ON CONFLICT (corporation_id, sender_id) DO UPDATE
        SET barred = true, changed_in = pg_current_xact_id(), changed_at = now() WHERE NOT b.barred;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER bar_sender AFTER INSERT OR DELETE OR UPDATE OF sender_id, state, withheld ON sender_id
  FOR EACH ROW EXECUTE FUNCTION bar_sender();
INSERT INTO sender_barred (corporation_id, sender_id, barred)
  SELECT DISTINCT s.corporation_id, sender_written(s.sender_id), true FROM sender_id s WHERE s.withheld
  AND NOT EXISTS (SELECT FROM sender_id o WHERE o.corporation_id = s.corporation_id AND NOT o.withheld
    AND o.sender_id IN (sender_written(s.sender_id), '00' || sender_written(s.sender_id)));

GRANT UPDATE ON sender_id TO heliograph_worker;
