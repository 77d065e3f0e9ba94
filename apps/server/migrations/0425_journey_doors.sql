-- People whom a journey let in had no contact before.
-- contract: demanded: constraint contact.contact_source_check CHECK ((source = ANY (ARRAY['person'::text, 'api'::text, 'import'::text, 'journey'::text]))) NOT VALID
ALTER TABLE contact DROP CONSTRAINT contact_source_check;
ALTER TABLE contact ADD CONSTRAINT contact_source_check CHECK (source IN ('person', 'api', 'import', 'journey')) NOT VALID;

CREATE INDEX journey_running_corporation ON journey (corporation_id) WHERE state = 'running';

-- Lets people enter a journey; those without a contact get one. Who is under way, or has ended too recently to enter again, stays as they
-- are. People are asked for first, so that nobody waits for the batch that leads someone who does not enter.
CREATE FUNCTION let_into_journey(wanted bigint, numbers text[], at timestamptz) RETURNS void
LANGUAGE sql SET search_path = public AS $$
  WITH open AS (
    SELECT j.id, j.corporation_id, j.version_id,
      coalesce(at - (v.definition ->> 'again_days')::integer * interval '1 day', '-infinity') AS again
    FROM journey j JOIN journey_version v ON v.id = j.version_id WHERE j.id = wanted AND j.state = 'running'
  ), entering AS (
    SELECT o.*, n AS number FROM open o, unnest(numbers) n
    WHERE NOT EXISTS (SELECT FROM journey_person p WHERE p.number = n AND p.journey_id = o.id AND (p.due_at IS NOT NULL OR p.ended_at > o.again))
    ORDER BY n
  ), known AS (
    INSERT INTO contact (corporation_id, number, source) SELECT corporation_id, number, 'journey' FROM entering
    ON CONFLICT (corporation_id, number) DO NOTHING
  )
  INSERT INTO journey_person AS p (journey_id, number, corporation_id, version_id, due_at, entered_at)
  SELECT id, number, corporation_id, version_id, at, at FROM entering
  ON CONFLICT (number, journey_id) DO UPDATE SET version_id = excluded.version_id, step = 0, due_at = excluded.due_at,
    entered_at = excluded.entered_at, ended_at = NULL, trail = '{}' WHERE p.due_at IS NULL AND p.ended_at <= (SELECT again FROM open)
$$;
REVOKE EXECUTE ON FUNCTION let_into_journey(bigint, text[], timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION let_into_journey(bigint, text[], timestamptz) TO heliograph_worker;

-- The first click of a link of a campaign lets its recipient enter the journeys that wait for it. A click without a number lets nobody in.
-- Nobody's session stands behind a visit, so it sees every tenant's journeys.
CREATE FUNCTION enter_by_click() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  found bigint;
BEGIN
  FOR found IN SELECT j.id FROM journey j JOIN journey_version v ON v.id = j.version_id
    WHERE j.corporation_id = NEW.corporation_id AND j.state = 'running' AND v.definition -> 'trigger' ->> 'on' = 'click'
      AND coalesce((v.definition -> 'trigger' ->> 'campaign_id')::bigint, NEW.campaign_id) = NEW.campaign_id
      AND coalesce((v.definition -> 'trigger' ->> 'link')::integer, NEW.place, 0) = coalesce(NEW.place, 0)
    ORDER BY j.id
  LOOP
    PERFORM let_into_journey(found, ARRAY[NEW.msisdn], now());
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER clicked AFTER INSERT ON short_link_click FOR EACH ROW
  WHEN (NEW.campaign_id IS NOT NULL AND NEW.msisdn ~ '^[0-9]+$') EXECUTE FUNCTION enter_by_click();
