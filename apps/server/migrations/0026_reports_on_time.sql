-- A cast of the whole CASE from text is no immutable expression, so that the function was run anew for each message
-- instead of being a part of the statement.
CREATE OR REPLACE FUNCTION state_of_message(outcome message_state, place bigint, chunk_cursor integer, chunk_state text)
RETURNS message_state LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(outcome, CASE
  WHEN place < chunk_cursor THEN 'submitted'::message_state
  WHEN chunk_state = 'cancelled' THEN 'cancelled'::message_state
  WHEN chunk_state = 'expired' THEN 'expired'::message_state
  ELSE 'pending'::message_state END);

-- How far a file is, as its writer keeps it: from there the next worker goes on. Null: it begins again.
ALTER TABLE download ADD COLUMN reached jsonb;

-- A list as somebody likes to see it: its filters, columns and order by a name. A report may besides be sent by mail.
CREATE TABLE saved_view (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  list text NOT NULL, -- the console's path of it
  name text NOT NULL,
  query jsonb NOT NULL, -- the address's parameters
  every text CHECK (every IN ('day', 'week', 'month')), -- null: it is not sent
  format text NOT NULL DEFAULT 'csv' CHECK (format IN ('csv', 'xlsx')),
  hour smallint NOT NULL DEFAULT 7 CHECK (hour BETWEEN 0 AND 23), -- in the person's time zone
  next_at timestamptz, -- when it is sent next; null: never
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT saved_view_user_id_list_name_key UNIQUE (user_id, list, name)
);
CREATE INDEX saved_view_next_at ON saved_view (next_at) WHERE next_at IS NOT NULL;
ALTER TABLE saved_view ENABLE ROW LEVEL SECURITY;
ALTER TABLE saved_view FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON saved_view TO heliograph_api USING (user_id = (SELECT scope_user()));
CREATE POLICY inside ON saved_view TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON saved_view TO heliograph_api;
GRANT SELECT, UPDATE ON saved_view TO heliograph_worker;
-- Whose file goes out by mail when it is written.
ALTER TABLE download ADD COLUMN mailed boolean NOT NULL DEFAULT false;

-- Messages by destination and link, counted by a worker from what is recorded of each message. A quarter of an hour is
-- counted anew when the statistics of it have changed since.
CREATE TABLE traffic_destination (
  quarter timestamptz NOT NULL,
  corporation_id bigint NOT NULL,
  department_id bigint NOT NULL DEFAULT 0,
  user_id bigint NOT NULL DEFAULT 0,
  link_id bigint NOT NULL,
  destination text NOT NULL, -- the country's calling code; empty for none
  messages bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  blocked bigint NOT NULL,
  expired bigint NOT NULL,
  PRIMARY KEY (quarter, corporation_id, department_id, user_id, link_id, destination)
);
CREATE INDEX traffic_destination_corporation_id ON traffic_destination (corporation_id, quarter);
CREATE TABLE counted_quarter (
  quarter timestamptz PRIMARY KEY,
  sums bigint NOT NULL, -- of the statistics when it was counted
  counted_at timestamptz NOT NULL,
  took_ms integer NOT NULL
);
DO $$
DECLARE
  rule text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
    AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user()))';
BEGIN
  ALTER TABLE traffic_destination ENABLE ROW LEVEL SECURITY;
  ALTER TABLE traffic_destination FORCE ROW LEVEL SECURITY;
  EXECUTE format('CREATE POLICY caller ON traffic_destination TO heliograph_api USING (%s)', rule);
  CREATE POLICY inside ON traffic_destination TO CURRENT_USER, heliograph_worker USING (true);
END $$;
GRANT SELECT ON traffic_destination TO heliograph_api;
GRANT SELECT, INSERT, DELETE ON traffic_destination TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON counted_quarter TO heliograph_worker;

-- Counts a quarter of an hour anew; `codes` has the calling code of each three digits a number may begin with, from 000.
CREATE FUNCTION count_destinations(starts timestamptz, codes text[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM traffic_destination WHERE quarter = starts;
  WITH k AS MATERIALIZED (
    SELECT k.*, s.states, k.id << 10 AS first, (k.id + 1) << 10 AS past
    FROM chunk k LEFT JOIN chunk_state s ON s.chunk_id = k.id
    WHERE k.created_at >= starts AND k.created_at < starts + interval '15 minutes'
      AND k.id >= (extract(epoch FROM starts)::bigint / 86400) << 28
      AND k.id < (extract(epoch FROM starts)::bigint / 86400 + 1) << 28
  )
  INSERT INTO traffic_destination (quarter, corporation_id, department_id, user_id, link_id, destination,
    messages, delivered, failed, blocked, expired)
  SELECT starts, k.corporation_id, coalesce(k.department_id, 0), coalesce(k.user_id, 0), k.link_id,
    coalesce(codes[1 + c.digits], ''), sum(c.messages), sum(c.delivered), sum(c.failed), sum(c.blocked), sum(c.expired)
  FROM k CROSS JOIN LATERAL (
    SELECT m.digits, count(*) FILTER (WHERE m.packed OR a.first) AS messages,
      count(*) FILTER (WHERE m.state = 'delivered') AS delivered,
      count(*) FILTER (WHERE m.state IN ('failed_submit', 'failed_other', 'failed_internal', 'failed_billing')) AS failed,
      count(*) FILTER (WHERE m.state = 'blocked') AS blocked,
      count(*) FILTER (WHERE m.state = 'expired') AS expired
    FROM (
      SELECT m.id, left(m.msisdn, 3)::integer AS digits, is_packed(flags_of(k.states, m.id & 1023)) AS packed,
        state_of_message(end_of(flags_of(k.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) AS state
      FROM message m WHERE m.id >= k.first AND m.id < k.past
    ) m
    LEFT JOIN (
      SELECT message_id, bool_or(part = 1) AS first FROM submission
      WHERE message_id >= k.first AND message_id < k.past AND command_status = 0 GROUP BY message_id
    ) a ON a.message_id = m.id
    GROUP BY m.digits
  ) c
  WHERE c.messages + c.delivered + c.failed + c.blocked + c.expired > 0
  GROUP BY 1, 2, 3, 4, 5, 6
$$;
REVOKE EXECUTE ON FUNCTION count_destinations(timestamptz, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_destinations(timestamptz, text[]) TO heliograph_worker;

-- UTC days whose texts were taken out.
CREATE TABLE redacted_day (
  day date PRIMARY KEY,
  redacted_at timestamptz NOT NULL
);
GRANT SELECT, INSERT ON redacted_day TO heliograph_worker;

-- Takes the texts out of everything that was sent or received on a UTC day: messages, what campaigns were asked to send,
-- replies, and the PDUs that carried them. Numbers, states and charges stay.
CREATE FUNCTION redact_texts(wanted date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  number bigint := wanted - date '1970-01-01';
  starts timestamptz := wanted::timestamp AT TIME ZONE 'UTC';
  ends timestamptz := (wanted + 1)::timestamp AT TIME ZONE 'UTC';
  removed text := '[removed]';
BEGIN
  UPDATE chunk SET common_text = removed
    WHERE id >= number << 28 AND id < (number + 1) << 28 AND common_text IS DISTINCT FROM removed;
  UPDATE message SET text = NULL WHERE id >= number << 38 AND id < (number + 1) << 38 AND text IS NOT NULL;
  UPDATE outcome SET receipt = '' WHERE message_id >= number << 38 AND message_id < (number + 1) << 38 AND receipt <> '';
  UPDATE receipt_pack SET raw = '' WHERE chunk_id >= number << 28 AND chunk_id < (number + 1) << 28 AND raw <> '';
  UPDATE receipt SET raw = '' WHERE received_at >= starts AND received_at < ends AND raw <> '';
  UPDATE inbox_message SET message = removed, reply_message = CASE WHEN reply_message IS NOT NULL THEN removed END
    WHERE received_at >= starts AND received_at < ends AND message <> removed;
  UPDATE campaign SET content = jsonb_set(content, '{content}', to_jsonb(removed))
    WHERE created_at >= starts AND created_at < ends AND content ->> 'content' <> removed
      AND state IN ('completed', 'stopped', 'failed', 'discarded', 'rejected');
  INSERT INTO redacted_day VALUES (wanted, now()) ON CONFLICT DO NOTHING;
END $$;
REVOKE EXECUTE ON FUNCTION redact_texts(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_texts(date) TO heliograph_worker;

-- Takes a UTC day's messages away with everything that was recorded of them; statistics and ledger stay. Answers false, and
-- does nothing, while something of the day is still under way.
CREATE FUNCTION drop_messages(wanted date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  number bigint := wanted - date '1970-01-01';
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
  -- Whoever sends is not kept waiting behind this one.
  PERFORM set_config('lock_timeout', '2s', true);
  IF EXISTS (SELECT FROM chunk WHERE id >= number << 28 AND id < (number + 1) << 28 AND NOT settled) THEN
    RETURN false;
  END IF;
  DELETE FROM correction WHERE message_id >= number << 38 AND message_id < (number + 1) << 38;
  DELETE FROM resend WHERE message_id >= number << 38 AND message_id < (number + 1) << 38;
  DELETE FROM chunk_state WHERE chunk_id >= number << 28 AND chunk_id < (number + 1) << 28;
  DELETE FROM chunk WHERE id >= number << 28 AND id < (number + 1) << 28;
  FOREACH parent IN ARRAY ARRAY['message', 'submission', 'outcome', 'answer_pack', 'receipt_pack', 'receipt'] LOOP
    EXECUTE format('DROP TABLE IF EXISTS %I', parent || '_' || to_char(wanted, 'YYYYMMDD'));
  END LOOP;
  RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION drop_messages(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_messages(date) TO heliograph_worker;

-- The UTC days that have partitions, the oldest first.
CREATE FUNCTION partitioned_days() RETURNS SETOF date LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'message'::regclass ORDER BY 1
$$;
REVOKE EXECUTE ON FUNCTION partitioned_days() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION partitioned_days() TO heliograph_worker;
