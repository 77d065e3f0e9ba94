-- Closing a day never makes it larger. Packs of a few messages are compressed as well, a transaction that recorded a whole
-- pack is stored once, and copies that are not smaller than the open partition do not replace it.

-- Copies the packs of the next chunks of a day. Answers false when none are left.
CREATE OR REPLACE FUNCTION close_day_copy(wanted date, parent text, most integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  number bigint := wanted - date '1970-01-01';
  source text := parent || '_' || to_char(wanted, 'YYYYMMDD');
  target text := source || '_closed';
  stage text := parent || '_staged';
  answers boolean := parent = 'answer_pack';
  stored text := 'ALTER places SET STORAGE EXTENDED, ALTER delays SET STORAGE EXTENDED, ALTER carrier_ids SET STORAGE EXTENDED,
    ALTER recorded_by SET STORAGE EXTENDED, ALTER ' || CASE WHEN answers THEN 'id_hashes' ELSE 'raw SET STORAGE EXTENDED, ALTER sizes' END
    || ' SET STORAGE EXTENDED';
  chunks bigint[];
  from_chunk bigint;
  copied bigint;
BEGIN
  IF parent NOT IN ('answer_pack', 'receipt_pack') THEN RAISE EXCEPTION 'no packs: %', parent; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('close_day'));
  IF EXISTS (SELECT FROM closed_day c WHERE c.day = wanted) THEN RETURN false; END IF;
  INSERT INTO day_closing AS c VALUES
    (wanted, parent, number << 28, 0, EXISTS (SELECT FROM redacted_day r WHERE r.day = wanted)) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    EXECUTE format('DROP TABLE IF EXISTS %I', target);
    -- The condition spares the reading of all rows when the table becomes a partition.
    EXECUTE format('CREATE TABLE %I (LIKE %I, CONSTRAINT its_day CHECK (chunk_id >= %s AND chunk_id < %s)) WITH (toast_tuple_target = 256)',
      target, parent, number << 28, (number + 1) << 28);
    EXECUTE format('ALTER TABLE %I %s', target, stored);
  END IF;
  -- PostgreSQL compresses only rows of more than 2,000 octets. So rows are first written with a pad that is long enough, and
  -- what was compressed stays so when it is copied without the pad.
  IF to_regclass('pg_temp.' || stage) IS NULL THEN
    EXECUTE format('CREATE TEMPORARY TABLE %I (LIKE %I, pad text STORAGE EXTENDED) WITH (toast_tuple_target = 256) ON COMMIT DELETE ROWS', stage, parent);
    EXECUTE format('ALTER TABLE pg_temp.%I %s', stage, stored);
  END IF;
  SELECT next_chunk INTO from_chunk FROM day_closing c WHERE c.day = wanted AND c.parent = close_day_copy.parent;
  SELECT array_agg(id) INTO chunks FROM (
    SELECT id FROM chunk WHERE id >= from_chunk AND id < (number + 1) << 28 ORDER BY id LIMIT most) k;
  IF chunks IS NULL THEN RETURN false; END IF;
  -- Packs are joined within a minute, as the minutes of a campaign count them. Times after the first stay exact.
  EXECUTE format($copy$
    WITH p AS (
      SELECT p.*, coalesce(recorded_by, p.xmin::text) AS recorded, 1 + length(places) - length(replace(places, ',', '')) AS entries,
        row_number() OVER w AS n, first_value(at) OVER w AS base
      FROM %1$I p WHERE chunk_id = ANY ($1)
      WINDOW w AS (PARTITION BY chunk_id, link_id, date_trunc('minute', at) ORDER BY at, ctid)
    ), joined AS (
      SELECT chunk_id, min(corporation_id) AS corporation_id, link_id, base AS at, string_agg(places, ',' ORDER BY n) AS places,
        string_agg(CASE WHEN at = base THEN delays ELSE (
          SELECT string_agg(trim_scale(d.delay::numeric + extract(epoch FROM p.at - p.base) * %2$s)::text, ',' ORDER BY d.o)
          FROM string_to_table(p.delays, ',') WITH ORDINALITY AS d(delay, o)) END, ',' ORDER BY n) AS delays,
        string_agg(carrier_ids, E'\x1f' ORDER BY n) AS carrier_ids, %3$s,
        CASE WHEN min(recorded) = max(recorded) AND position(',' IN min(recorded)) = 0 THEN min(recorded) ELSE
          string_agg(CASE WHEN position(',' IN recorded) > 0 THEN recorded ELSE recorded || repeat(',' || recorded, entries - 1) END, ',' ORDER BY n)
        END AS recorded_by,
        count(*) AS packs
      FROM p GROUP BY chunk_id, link_id, base
    ), added AS (
      INSERT INTO pg_temp.%4$I (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, %5$s, recorded_by, pad)
      SELECT chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, %6$s, recorded_by, repeat(' ', 4000) FROM joined
      ORDER BY chunk_id, link_id, at
    ) SELECT coalesce(sum(packs), 0)::bigint FROM joined $copy$,
    source, CASE WHEN answers THEN '1000' ELSE '1000000' END,
    CASE WHEN answers THEN 'NULL' ELSE 'string_agg(sizes, '','' ORDER BY n) AS sizes, string_agg(raw, '''' ORDER BY n) AS raw' END,
    stage, CASE WHEN answers THEN 'id_hashes' ELSE 'sizes, raw' END,
    CASE WHEN answers THEN 'ARRAY(SELECT id_hash(i) FROM string_to_table(carrier_ids, E''\x1f'') AS i)' ELSE 'sizes, raw' END)
  INTO copied USING chunks;
  EXECUTE format('INSERT INTO %1$I (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, %3$s, recorded_by)
    SELECT chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, %3$s, recorded_by FROM pg_temp.%2$I',
    target, stage, CASE WHEN answers THEN 'id_hashes' ELSE 'sizes, raw' END);
  UPDATE day_closing c SET next_chunk = chunks[array_upper(chunks, 1)] + 1, read_rows = read_rows + copied
    WHERE c.day = wanted AND c.parent = close_day_copy.parent;
  RETURN true;
END $$;

-- Gives the copies of a day their indexes. To repeat it changes nothing. Hashes that are added in one order leave each page of
-- their index half empty, and the next ones fill these halves. So the memory is what half of them need, and a little more.
CREATE OR REPLACE FUNCTION close_day_index(wanted date, parent text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  target text := parent || '_' || to_char(wanted, 'YYYYMMDD') || '_closed';
  -- Octets that an index being built takes for a hash, and the most memory that it may have.
  per_hash CONSTANT integer := 104;
  most_memory CONSTANT integer := 65536;
  hashes bigint;
BEGIN
  IF parent NOT IN ('answer_pack', 'receipt_pack') THEN RAISE EXCEPTION 'no packs: %', parent; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('close_day'));
  IF to_regclass(target) IS NULL THEN RETURN; END IF;
  IF parent = 'answer_pack' THEN
    EXECUTE format('SELECT coalesce(sum(cardinality(id_hashes)), 0) FROM %I', target) INTO hashes;
    PERFORM set_config('maintenance_work_mem', greatest(64, least(most_memory, hashes * per_hash * 54 / 100 / 1024)) || 'kB', true);
    PERFORM set_config('max_parallel_maintenance_workers', '0', true);
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I USING hash (chunk_id)', target || '_chunk', target);
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I USING gin (id_hashes)', target || '_hashes', target);
  ELSE
    EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON %I (chunk_id)', target || '_chunk', target);
  END IF;
  EXECUTE format('ANALYZE %I', target);
END $$;

-- Puts the copies in the place of the partitions of a day where they are smaller. Answers false, and begins again next time, if
-- the packs are not those that were copied. Nobody waits for it longer than lock_timeout and what the change takes.
CREATE OR REPLACE FUNCTION close_day_swap(wanted date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  number bigint := wanted - date '1970-01-01';
  name text;
  which text;
  closing day_closing;
  present bigint;
  same boolean := true;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('close_day'));
  PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
  IF EXISTS (SELECT FROM closed_day c WHERE c.day = wanted) THEN RETURN true; END IF;
  PERFORM set_config('lock_timeout', '300ms', true);
  FOREACH which IN ARRAY ARRAY['answer_pack', 'receipt_pack'] LOOP
    name := which || '_' || to_char(wanted, 'YYYYMMDD');
    EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', which);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
    EXECUTE format('SELECT count(*) FROM %I', name) INTO present;
    SELECT * INTO STRICT closing FROM day_closing c WHERE c.day = wanted AND c.parent = which;
    same := same AND present = closing.read_rows
      AND closing.redacted = EXISTS (SELECT FROM redacted_day r WHERE r.day = wanted);
  END LOOP;
  same := same AND NOT EXISTS (SELECT FROM chunk WHERE NOT settled AND id >= number << 28 AND id < (number + 1) << 28);
  FOREACH which IN ARRAY ARRAY['answer_pack', 'receipt_pack'] LOOP
    name := which || '_' || to_char(wanted, 'YYYYMMDD');
    IF same AND pg_total_relation_size((name || '_closed')::regclass) < pg_total_relation_size(name::regclass) THEN
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', which, name);
      EXECUTE format('DROP TABLE %I', name);
      EXECUTE format('ALTER TABLE %I RENAME TO %I', name || '_closed', name);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', which, name, number << 28, (number + 1) << 28);
      EXECUTE format('ALTER TABLE %I DROP CONSTRAINT its_day', name);
      EXECUTE format('GRANT INSERT ON %I TO heliograph_worker, heliograph_sender', name);
    ELSE
      EXECUTE format('DROP TABLE %I', name || '_closed');
    END IF;
  END LOOP;
  DELETE FROM day_closing WHERE day = wanted;
  IF same THEN INSERT INTO closed_day (day) VALUES (wanted); END IF;
  RETURN same;
END $$;
