-- Owners of each number, present and past, with their times. The rows follow `sender_id` and `routing`, which say whose a number is:
-- whoever changes those, the database closes and opens rows here.
CREATE TABLE number_assignment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number text NOT NULL CHECK (number ~ '^\d+$'),
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  shared boolean NOT NULL, -- true: only some keywords of the number
  given_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  given_by bigint, -- persons; without a reference, as people are deleted
  reason text,
  until_at timestamptz,
  taken_by bigint,
  taken_reason text
);
CREATE UNIQUE INDEX number_assignment_present ON number_assignment (number, corporation_id) WHERE until_at IS NULL;
CREATE INDEX number_assignment_number ON number_assignment (number, id);
CREATE INDEX number_assignment_corporation_id ON number_assignment (corporation_id, id);
ALTER TABLE number_assignment ENABLE ROW LEVEL SECURITY;
ALTER TABLE number_assignment FORCE ROW LEVEL SECURITY;
-- Nobody reads who else had a number, and nobody of one department what belongs to all.
CREATE POLICY caller ON number_assignment FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform())
  OR (SELECT scope_department()) IS NULL AND corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON number_assignment TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON number_assignment TO heliograph_api, heliograph_worker;

-- Corporation to which a number belongs: that whose sender ID it is, else the only one with routings of it. One that only got
-- keywords of a shared number does not inherit the whole number when the others leave: the platform assigns it.
CREATE OR REPLACE FUNCTION number_holder(number text) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (
  WITH sender AS (
    SELECT DISTINCT corporation_id FROM sender_id WHERE upper(sender_id) IN (number, '00' || number) AND NOT withheld
  ), ruled AS (
    SELECT DISTINCT r.corporation_id FROM routing r WHERE r.number = number_holder.number AND NOT r.withheld
  )
  SELECT CASE WHEN (SELECT count(*) FROM sender) = 1 THEN (SELECT corporation_id FROM sender)
    WHEN (SELECT count(*) FROM sender) = 0 AND (SELECT count(*) FROM ruled) = 1 THEN (SELECT corporation_id FROM ruled WHERE NOT EXISTS (
      SELECT FROM number_assignment a WHERE a.number = number_holder.number AND a.corporation_id = ruled.corporation_id
        AND a.until_at IS NULL AND a.shared)) END
);

-- The corporations that have a number now. `shared`: only some of its keywords.
CREATE FUNCTION number_holders(asked text) RETURNS TABLE (corporation_id bigint, shared boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT p.id, p.id IS DISTINCT FROM number_holder(asked) FROM (
    SELECT s.corporation_id AS id FROM sender_id s WHERE upper(s.sender_id) IN (asked, '00' || asked) AND NOT s.withheld
    UNION SELECT r.corporation_id FROM routing r WHERE r.number = asked AND NOT r.withheld
  ) p;
$$;
REVOKE EXECUTE ON FUNCTION number_holders(text) FROM PUBLIC;

-- Closes and opens the rows of a number, so that they say who has it now. One change of a number at a time.
CREATE FUNCTION record_number(changed text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  person bigint := nullif(current_setting('app.user', true), '')::bigint;
  why text := nullif(current_setting('app.reason', true), '');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('number ' || changed, 0));
  UPDATE number_assignment a SET until_at = clock_timestamp(), taken_by = person, taken_reason = why
    WHERE a.number = changed AND a.until_at IS NULL AND NOT EXISTS (
      SELECT FROM number_holders(changed) h WHERE h.corporation_id = a.corporation_id AND h.shared = a.shared);
  INSERT INTO number_assignment (number, corporation_id, shared, given_by, reason)
    SELECT changed, h.corporation_id, h.shared, person, why FROM number_holders(changed) h
    WHERE NOT EXISTS (SELECT FROM number_assignment a
      WHERE a.number = changed AND a.corporation_id = h.corporation_id AND a.until_at IS NULL);
END $$;
REVOKE EXECUTE ON FUNCTION record_number(text) FROM PUBLIC;

CREATE FUNCTION record_sender_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  each text;
BEGIN
  FOR each IN SELECT DISTINCT sender_written(n) FROM unnest(ARRAY[OLD.sender_id, NEW.sender_id]) AS n
    WHERE n ~ '^\d+$' ORDER BY 1 LOOP
    PERFORM record_number(each);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION record_routing_number() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  each text;
BEGIN
  FOR each IN SELECT DISTINCT n FROM unnest(ARRAY[OLD.number, NEW.number]) AS n WHERE n ~ '^\d+$' ORDER BY 1 LOOP
    PERFORM record_number(each);
  END LOOP;
  RETURN NULL;
END $$;
