-- Requests over HTTP to customers' addresses: callbacks, and calls of inbound routings. A request that a worker holds has `next_at`
-- ahead; if the worker dies, it becomes due again. Nobody needs a right to the sequence of an identity column.
-- contract: gone: grant USAGE ON callback_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON callback_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON callback_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON callback_id_seq TO heliograph_worker
-- contract: gone: grant USAGE ON routing_call_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON routing_call_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON routing_call_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON routing_call_id_seq TO heliograph_worker

CREATE TABLE http_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY, -- older rows of two kinds may have the same id
  corporation_id bigint NOT NULL,
  callback_endpoint_id bigint, -- of a callback
  event_id bigint,             -- of a callback
  type text,                   -- of a callback's event
  message_id bigint,           -- of a callback: message that the event is about
  url text, -- address that the message names; null: the address of the endpoint or routing
  test boolean NOT NULL DEFAULT false, -- a sample that a person sends: tried once, also if the endpoint is paused
  body text, -- null: made of the inbound message at each try
  state text NOT NULL DEFAULT 'waiting', -- waiting, done or failed; the partitions check it
  tries integer NOT NULL DEFAULT 0, -- since it was begun, or replayed
  next_at timestamptz DEFAULT now(),
  attempts jsonb NOT NULL DEFAULT '[]', -- [{at, status, fault, ms, answer}], the newest last
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz,
  kind text NOT NULL, -- callback or routing_call
  routing_id bigint,       -- of a routing call
  inbox_message_id bigint  -- of a routing call
) PARTITION BY LIST (kind);

ALTER TABLE http_delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE http_delivery FORCE ROW LEVEL SECURITY;
DO $$
DECLARE
  rule text := $rule$
    ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND CASE kind
      WHEN 'callback' THEN EXISTS (SELECT FROM callback_endpoint e WHERE e.id = callback_endpoint_id)
      WHEN 'routing_call' THEN EXISTS (SELECT FROM routing r WHERE r.id = routing_id)
        AND EXISTS (SELECT FROM inbox_message i WHERE i.id = inbox_message_id)
      ELSE false
    END $rule$;
BEGIN
  EXECUTE format('CREATE POLICY caller ON http_delivery FOR SELECT TO heliograph_api USING (%s)', rule);
  EXECUTE format('CREATE POLICY caller_changes ON http_delivery FOR UPDATE TO heliograph_api USING (%s)', rule);
  -- People send samples of events. Calls of routings are added by workers only.
  EXECUTE format('CREATE POLICY caller_adds ON http_delivery FOR INSERT TO heliograph_api WITH CHECK (kind = ''callback'' AND %s)', rule);
END $$;
CREATE POLICY inside ON http_delivery TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT ON http_delivery TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT INSERT, UPDATE ON http_delivery TO heliograph_api, heliograph_worker;

-- Partitions have the ids of their parent, and may not have their own.
ALTER TABLE callback ALTER COLUMN id DROP IDENTITY;
ALTER TABLE routing_call ALTER COLUMN id DROP IDENTITY;
ALTER TABLE http_delivery ATTACH PARTITION callback FOR VALUES IN ('callback');
ALTER TABLE http_delivery ATTACH PARTITION routing_call FOR VALUES IN ('routing_call');
ALTER TABLE callback DROP CONSTRAINT callback_kind;
ALTER TABLE routing_call DROP CONSTRAINT routing_call_kind;
SELECT setval(pg_get_serial_sequence('http_delivery', 'id'),
  greatest((SELECT max(id) FROM callback), (SELECT max(id) FROM routing_call), 0) + 1, false);
