-- Callbacks and calls of inbound routings become one table, `http_delivery`, which is partitioned by kind. Here each gets the columns that
-- it lacks. The tables keep their names: the last release's program holds and sends the same rows by them.

ALTER TABLE callback
  ADD COLUMN kind text NOT NULL DEFAULT 'callback',
  ADD COLUMN routing_id bigint,
  ADD COLUMN inbox_message_id bigint,
  ADD CONSTRAINT callback_kind CHECK (kind = 'callback') NOT VALID;

ALTER TABLE routing_call
  ADD COLUMN kind text NOT NULL DEFAULT 'routing_call',
  ADD COLUMN callback_endpoint_id bigint,
  ADD COLUMN event_id bigint,
  ADD COLUMN type text,
  ADD COLUMN message_id bigint,
  ADD COLUMN url text,
  ADD COLUMN test boolean NOT NULL DEFAULT false,
  ADD COLUMN body text,
  ADD COLUMN attempts jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT routing_call_kind CHECK (kind = 'routing_call') NOT VALID;
CREATE INDEX routing_call_tests ON routing_call (id) WHERE test AND state = 'waiting';

-- Tries are kept with their call, the newest last. Workers of the last release still write rows of routing_attempt.
CREATE FUNCTION keep_routing_attempt() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE routing_call SET attempts = attempts || jsonb_build_object('at', to_char(NEW.created_at AT TIME ZONE 'UTC',
    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'status', NEW.status, 'fault', NEW.fault, 'ms', NEW.duration_ms, 'answer', coalesce(NEW.answer, ''))
  WHERE id = NEW.routing_call_id;
  RETURN NULL;
END $$;
CREATE TRIGGER keep_routing_attempt AFTER INSERT ON routing_attempt FOR EACH ROW EXECUTE FUNCTION keep_routing_attempt();
UPDATE routing_call l SET attempts = a.attempts
FROM (
  SELECT routing_call_id, jsonb_agg(jsonb_build_object('at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'status', status, 'fault', fault, 'ms', duration_ms, 'answer', coalesce(answer, '')) ORDER BY id) AS attempts
  FROM routing_attempt GROUP BY routing_call_id
) a
WHERE a.routing_call_id = l.id;
