-- Statistics that reports add up: by quarters of an hour, in which the days of every time zone begin, and by sender ID.
-- A message counts in the quarter in which it was queued, as in every report, whenever its fate is decided.
ALTER TABLE traffic_hour RENAME TO traffic_quarter;
ALTER TABLE traffic_quarter RENAME COLUMN hour TO quarter;
ALTER TABLE traffic_quarter
  ADD COLUMN sender_id text NOT NULL DEFAULT '',
  ADD COLUMN blocked bigint NOT NULL DEFAULT 0, -- not among the failed
  ADD COLUMN failed_internal bigint NOT NULL DEFAULT 0, -- these three among the failed; the rest of them is failed_other
  ADD COLUMN failed_billing bigint NOT NULL DEFAULT 0,
  ADD COLUMN failed_submit bigint NOT NULL DEFAULT 0,
  DROP CONSTRAINT traffic_hour_pkey,
  ADD PRIMARY KEY (quarter, corporation_id, department_id, user_id, campaign_id, sender_id);
ALTER INDEX traffic_hour_corporation_id RENAME TO traffic_quarter_corporation_id;
CREATE INDEX traffic_quarter_campaign_id ON traffic_quarter (campaign_id) WHERE campaign_id > 0;

-- Counts the statistics of the messages queued in a time anew, from what is recorded of each of them. Both ends are
-- beginnings of quarters; nothing else may record outcomes meanwhile.
CREATE FUNCTION rebuild_traffic(starts timestamptz, ends timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM traffic_quarter WHERE quarter >= starts AND quarter < ends;
  WITH k AS MATERIALIZED (
    SELECT k.*, s.states, k.id << 10 AS first, (k.id + 1) << 10 AS past
    FROM chunk k LEFT JOIN chunk_state s ON s.chunk_id = k.id WHERE k.created_at >= starts AND k.created_at < ends
  )
  INSERT INTO traffic_quarter (quarter, corporation_id, department_id, user_id, campaign_id, sender_id,
    messages, parts, delivered, failed, failed_internal, failed_billing, failed_submit, blocked, expired, spend)
  SELECT date_bin('15 minutes', k.created_at, 'epoch'), k.corporation_id, coalesce(k.department_id, 0), coalesce(k.user_id, 0),
    coalesce(k.campaign_id, 0), k.sender_id, sum(c.messages), sum(c.parts), sum(c.delivered), sum(c.failed),
    sum(c.failed_internal), sum(c.failed_billing), sum(c.failed_submit), sum(c.blocked), sum(c.expired), sum(c.spend)
  FROM k CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE m.packed OR a.first) AS messages,
      coalesce(sum(CASE WHEN m.packed THEN 1 ELSE a.parts END), 0) AS parts,
      count(*) FILTER (WHERE m.state = 'delivered') AS delivered,
      count(*) FILTER (WHERE m.state IN ('failed_submit', 'failed_other', 'failed_internal', 'failed_billing')) AS failed,
      count(*) FILTER (WHERE m.state = 'failed_internal') AS failed_internal,
      count(*) FILTER (WHERE m.state = 'failed_billing') AS failed_billing,
      count(*) FILTER (WHERE m.state = 'failed_submit') AS failed_submit,
      count(*) FILTER (WHERE m.state = 'blocked') AS blocked,
      count(*) FILTER (WHERE m.state = 'expired') AS expired,
      coalesce(sum(charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, m.ended,
        CASE WHEN m.packed THEN 1 ELSE coalesce(a.parts, 0) END) + coalesce(x.amount, 0)), 0) AS spend
    FROM (
      SELECT m.id, m.parts, m.unit_price, is_packed(flags_of(k.states, m.id & 1023)) AS packed,
        end_of(flags_of(k.states, m.id & 1023)) AS ended,
        state_of_message(end_of(flags_of(k.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) AS state
      FROM message m WHERE m.id >= k.first AND m.id < k.past
    ) m
    LEFT JOIN (
      SELECT message_id, count(*) AS parts, bool_or(part = 1) AS first FROM submission
      WHERE message_id >= k.first AND message_id < k.past AND command_status = 0 GROUP BY message_id
    ) a ON a.message_id = m.id
    LEFT JOIN correction x ON x.message_id = m.id AND m.ended IS NOT NULL
  ) c
  WHERE c.messages + c.parts + c.delivered + c.failed + c.blocked + c.expired + c.spend > 0
  GROUP BY 1, 2, 3, 4, 5, 6
$$;
REVOKE EXECUTE ON FUNCTION rebuild_traffic(timestamptz, timestamptz) FROM PUBLIC;
SELECT rebuild_traffic('-infinity', 'infinity');

-- What the processes say in their logs, for the administration, for a while. Never texts, numbers or secrets: the logger
-- takes these out before.
CREATE TABLE application_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  logged_at timestamptz NOT NULL,
  level text NOT NULL CHECK (level IN ('warn', 'error', 'fatal', 'info')),
  source text NOT NULL, -- the process
  request_id text,
  message text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX application_log_logged_at ON application_log (logged_at);
CREATE INDEX application_log_level ON application_log (level, id);
CREATE INDEX application_log_request_id ON application_log (request_id) WHERE request_id IS NOT NULL;
ALTER TABLE application_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE application_log FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON application_log FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON application_log TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON application_log TO heliograph_api;
GRANT SELECT, DELETE ON application_log TO heliograph_worker;
-- Every process writes here, whoever's scope its session has.
CREATE FUNCTION write_application_log(entries jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO application_log (logged_at, level, source, request_id, message, details)
  SELECT logged_at, level, source, request_id, message, coalesce(details, '{}')
  FROM jsonb_to_recordset(entries)
    AS e(logged_at timestamptz, level text, source text, request_id text, message text, details jsonb)
$$;
REVOKE EXECUTE ON FUNCTION write_application_log(jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_application_log(jsonb) TO heliograph_api, heliograph_worker, heliograph_sender;

-- Replies of a time, for dashboards.
CREATE INDEX inbox_message_received_at ON inbox_message (received_at);
