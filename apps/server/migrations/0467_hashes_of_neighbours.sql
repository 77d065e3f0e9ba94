-- Answers are found by a hash of their id without its last two characters, so that the ids of a counter share one. A pack of a
-- thousand answers then needs some ten entries in the index instead of a thousand. Packs from before keep their hashes.
CREATE OR REPLACE FUNCTION id_hash(carrier_id text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN crc32(convert_to(CASE WHEN length(carrier_id) > 6 THEN left(carrier_id, -2) ELSE carrier_id END, 'UTF8'))::bit(32)::integer;

DO $$
DECLARE
  body text := pg_get_functiondef('close_day_copy(date, text, integer)'::regprocedure);
  changed text := replace(body, 'ARRAY(SELECT id_hash(i)', 'ARRAY(SELECT DISTINCT id_hash(i)');
BEGIN
  IF changed = body THEN RAISE EXCEPTION 'close_day_copy has no hashes'; END IF;
  EXECUTE changed;
END $$;

-- Entries go into the index of a day directly. A list of pending ones made the writer merge hundreds of thousands in one
-- statement, for which codes waited half a second.
CREATE FUNCTION index_answers_directly(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  name regclass;
BEGIN
  FOR name IN
    SELECT i.indexrelid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'gin'
    WHERE i.indrelid = to_regclass('answer_pack_' || to_char(day, 'YYYYMMDD')) AND NOT coalesce('fastupdate=off' = ANY (c.reloptions), false)
  LOOP
    EXECUTE format('ALTER INDEX %s SET (fastupdate = off)', name);
    PERFORM gin_clean_pending_list(name);
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION index_answers_directly FROM PUBLIC;

CREATE OR REPLACE FUNCTION ensure_partitions(first_day date, last_day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  day date;
  number bigint;
  parent text;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
  FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
    number := day - date '1970-01-01';
    FOREACH parent IN ARRAY ARRAY['message', 'submission', 'outcome', 'answer_pack', 'receipt_pack'] LOOP
      partition := parent || '_' || to_char(day, 'YYYYMMDD');
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)', partition, parent,
        number << CASE WHEN parent LIKE '%pack' THEN 28 ELSE 38 END,
        (number + 1) << CASE WHEN parent LIKE '%pack' THEN 28 ELSE 38 END);
      EXECUTE format('GRANT INSERT ON %I TO heliograph_worker%s', partition,
        CASE parent WHEN 'message' THEN '' ELSE ', heliograph_sender' END);
    END LOOP;
    PERFORM index_answers_directly(day);
    partition := 'receipt_' || to_char(day, 'YYYYMMDD');
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF receipt FOR VALUES FROM (%L) TO (%L)',
      partition, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('GRANT INSERT ON %I TO heliograph_worker, heliograph_sender', partition);
  END LOOP;
END $$;
SELECT index_answers_directly(day::date) FROM generate_series((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 8, interval '1 day') AS day;
