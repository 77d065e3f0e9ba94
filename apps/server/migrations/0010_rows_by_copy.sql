-- The final receipt that ended a message of one part stands with the outcome; `receipt` keeps all others. One row a
-- message less, and what it would repeat.
ALTER TABLE outcome ADD COLUMN link_id bigint, ADD COLUMN receipt_state text, ADD COLUMN receipt bytea;

CREATE VIEW receipt_row WITH (security_invoker) AS
  SELECT received_at, link_id, carrier_id, message_id, part, state, error, raw FROM receipt
  UNION ALL
  SELECT o.done_at, o.link_id, s.carrier_id, o.message_id, s.part,
    o.receipt_state, coalesce(nullif(o.error_code, o.receipt_state), ''), o.receipt
  FROM outcome o JOIN submission s ON s.message_id = o.message_id AND s.part = 1
  WHERE o.receipt IS NOT NULL;
GRANT SELECT ON receipt_row TO heliograph_api, heliograph_worker, heliograph_sender;

-- COPY is refused on tables with row level security, but not on their partitions. Only those who may write every
-- tenant's rows anyway are granted that; callers reach partitions through their parents alone.
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
    FOREACH parent IN ARRAY ARRAY['message', 'submission', 'outcome'] LOOP
      partition := parent || '_' || to_char(day, 'YYYYMMDD');
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)',
        partition, parent, number << 38, (number + 1) << 38);
      EXECUTE format('GRANT INSERT ON %I TO heliograph_worker%s', partition,
        CASE parent WHEN 'message' THEN '' ELSE ', heliograph_sender' END);
    END LOOP;
    partition := 'receipt_' || to_char(day, 'YYYYMMDD');
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF receipt FOR VALUES FROM (%L) TO (%L)',
      partition, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('GRANT INSERT ON %I TO heliograph_worker, heliograph_sender', partition);
  END LOOP;
END $$;
SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 7);
