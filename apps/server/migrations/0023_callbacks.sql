-- What programs are told of, and the calls by which they are told.

-- The outbox: a row is written in the transaction of what it tells. Readers go by transactions they have not seen, so nothing
-- is missed that commits late. Kept for a week.
CREATE TABLE event (
  id bigint GENERATED ALWAYS AS IDENTITY,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  corporation_id bigint NOT NULL,
  department_id bigint,
  user_id bigint,
  type text NOT NULL CHECK (type IN ('message.delivered', 'message.failed', 'message.expired', 'message.received',
    'campaign.finished', 'balance.low')),
  message_id bigint, -- of one of our own
  data jsonb NOT NULL DEFAULT '{}', -- what the type needs beyond it
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tx, id)
);
CREATE INDEX event_corporation_id ON event (corporation_id, tx, id);

-- Whether the ends of a chunk's messages are written there.
ALTER TABLE chunk ADD COLUMN tells boolean NOT NULL DEFAULT false;

-- Where programs are told. The addresses of corporations and departments, and those that messages name themselves, have
-- their row here as well: it holds their secrets and whether they are paused.
CREATE TABLE callback_endpoint (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  department_id bigint REFERENCES department ON DELETE CASCADE, -- null: of the whole corporation
  kind text NOT NULL DEFAULT 'own' CHECK (kind IN ('own', 'corporation', 'department', 'message')),
  url text CHECK ((url IS NULL) = (kind = 'message')),
  types text[] NOT NULL DEFAULT '{}', -- none: all
  description text,
  enabled boolean NOT NULL DEFAULT true,
  paused_at timestamptz,
  pause_reason text CHECK (pause_reason IN ('failing', 'gone')),
  failing_since timestamptz, -- nothing has arrived since
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX callback_endpoint_url_key ON callback_endpoint (corporation_id, department_id, url) NULLS NOT DISTINCT
  WHERE kind = 'own';
CREATE UNIQUE INDEX callback_endpoint_kind_key ON callback_endpoint (corporation_id, department_id, kind) NULLS NOT DISTINCT
  WHERE kind <> 'own';
CREATE INDEX callback_endpoint_department_id ON callback_endpoint (department_id) WHERE department_id IS NOT NULL;

-- What the calls are signed with. During a rotation there are two.
CREATE TABLE callback_secret (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  callback_endpoint_id bigint NOT NULL REFERENCES callback_endpoint ON DELETE CASCADE,
  sealed text NOT NULL, -- with the server's key
  shown boolean NOT NULL DEFAULT true, -- false: made by the first call, and nobody has seen it
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz -- null: until the next takes its place
);
CREATE UNIQUE INDEX callback_secret_current ON callback_secret (callback_endpoint_id) WHERE expires_at IS NULL;
CREATE INDEX callback_secret_callback_endpoint_id ON callback_secret (callback_endpoint_id);
CREATE INDEX callback_secret_corporation_id ON callback_secret (corporation_id);

-- One event for one endpoint, with every try. A row that is claimed has `next_at` ahead: a worker that dies leaves it due.
CREATE TABLE callback (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  callback_endpoint_id bigint NOT NULL REFERENCES callback_endpoint ON DELETE CASCADE,
  event_id bigint NOT NULL,
  type text NOT NULL,
  message_id bigint,
  url text, -- where the message names it; null: the endpoint's
  test boolean NOT NULL DEFAULT false, -- a sample that a person sends: tried once, whatever rests
  body text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  tries integer NOT NULL DEFAULT 0, -- since it was begun, or begun anew
  next_at timestamptz NOT NULL DEFAULT now(),
  attempts jsonb NOT NULL DEFAULT '[]', -- [{at, status, fault, ms, answer}], the newest last
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX callback_due ON callback (callback_endpoint_id, next_at) WHERE state = 'waiting';
CREATE INDEX callback_tests ON callback (id) WHERE test AND state = 'waiting';
CREATE INDEX callback_callback_endpoint_id ON callback (callback_endpoint_id, id);
CREATE INDEX callback_corporation_id ON callback (corporation_id, id);
CREATE INDEX callback_message_id ON callback (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX callback_created_at ON callback USING brin (created_at);

-- What was turned into callbacks so far: one worker at a time holds the row.
CREATE TABLE callback_progress (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  cursor text
);
INSERT INTO callback_progress DEFAULT VALUES;

DO $$
DECLARE
  t text;
  rule text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
  by_department text := '((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))';
BEGIN
  FOR t, rule IN VALUES
    ('event', by_corporation || ' AND ' || by_department || ' AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user()))'),
    ('callback_endpoint', by_corporation || ' AND ' || by_department || ' AND NOT (SELECT scope_is_user())'),
    ('callback_secret', by_corporation || ' AND callback_endpoint_id IN (SELECT id FROM callback_endpoint)'),
    ('callback', by_corporation || ' AND EXISTS (SELECT FROM callback_endpoint e WHERE e.id = callback_endpoint_id)')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

-- Whether anybody is told of a corporation's, or a department's, messages.
CREATE FUNCTION anybody_is_told(of_corporation bigint, of_department bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (SELECT FROM callback_endpoint WHERE corporation_id = of_corporation AND enabled AND kind <> 'message'
    AND (department_id IS NULL OR department_id = of_department))
$$;
REVOKE EXECUTE ON FUNCTION anybody_is_told(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION anybody_is_told(bigint, bigint) TO heliograph_api, heliograph_worker, heliograph_sender;

-- The address of a corporation or a department is an endpoint like others, as long as there is one.
CREATE FUNCTION follow_callback_url() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  corporation bigint := CASE TG_TABLE_NAME WHEN 'corporation' THEN NEW.id ELSE (to_jsonb(NEW) ->> 'corporation_id')::bigint END;
  department bigint := CASE TG_TABLE_NAME WHEN 'department' THEN NEW.id END;
BEGIN
  IF NEW.callback_url IS NULL THEN
    UPDATE callback_endpoint SET enabled = false
    WHERE corporation_id = corporation AND department_id IS NOT DISTINCT FROM department AND kind = TG_TABLE_NAME;
  ELSE
    INSERT INTO callback_endpoint (corporation_id, department_id, kind, url)
    VALUES (corporation, department, TG_TABLE_NAME, NEW.callback_url)
    ON CONFLICT (corporation_id, department_id, kind) WHERE kind <> 'own'
    DO UPDATE SET url = EXCLUDED.url, enabled = true, paused_at = NULL, pause_reason = NULL, failing_since = NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER callback_url_set AFTER INSERT ON corporation FOR EACH ROW
  WHEN (NEW.callback_url IS NOT NULL) EXECUTE FUNCTION follow_callback_url();
CREATE TRIGGER callback_url_changed AFTER UPDATE OF callback_url ON corporation FOR EACH ROW
  WHEN (NEW.callback_url IS DISTINCT FROM OLD.callback_url) EXECUTE FUNCTION follow_callback_url();
CREATE TRIGGER callback_url_set AFTER INSERT ON department FOR EACH ROW
  WHEN (NEW.callback_url IS NOT NULL) EXECUTE FUNCTION follow_callback_url();
CREATE TRIGGER callback_url_changed AFTER UPDATE OF callback_url ON department FOR EACH ROW
  WHEN (NEW.callback_url IS DISTINCT FROM OLD.callback_url) EXECUTE FUNCTION follow_callback_url();
INSERT INTO callback_endpoint (corporation_id, kind, url)
  SELECT id, 'corporation', callback_url FROM corporation WHERE callback_url IS NOT NULL;
INSERT INTO callback_endpoint (corporation_id, department_id, kind, url)
  SELECT corporation_id, id, 'department', callback_url FROM department WHERE callback_url IS NOT NULL;

-- Whoever ends a campaign, or takes an account below its limit, need not know that programs are told.
CREATE FUNCTION tell_campaign_finished() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO event (corporation_id, department_id, user_id, type, data)
  SELECT corporation_id, department_id, created_by, 'campaign.finished', jsonb_build_object('campaign_id', id, 'state', NEW.to_state)
  FROM campaign WHERE id = NEW.campaign_id;
  RETURN NULL;
END $$;
CREATE TRIGGER campaign_finished AFTER INSERT ON campaign_transition FOR EACH ROW
  WHEN (NEW.to_state IN ('completed', 'stopped', 'failed')) EXECUTE FUNCTION tell_campaign_finished();

CREATE FUNCTION tell_balance_low() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO event (corporation_id, type, data) VALUES (NEW.corporation_id, 'balance.low',
    jsonb_build_object('billing_account_id', NEW.billing_account_id, 'limit', NEW.kind, 'balance', NEW.balance));
  RETURN NULL;
END $$;
CREATE TRIGGER balance_low AFTER INSERT ON balance_alert FOR EACH ROW EXECUTE FUNCTION tell_balance_low();

CREATE VIEW callback_endpoint_row WITH (security_invoker) AS
  SELECT e.*, c.name AS corporation_name, d.name AS department_name, s.secret_since, s.old_secret_until
  FROM callback_endpoint e JOIN corporation c ON c.id = e.corporation_id LEFT JOIN department d ON d.id = e.department_id
  CROSS JOIN LATERAL (
    SELECT max(s.created_at) FILTER (WHERE s.expires_at IS NULL AND s.shown) AS secret_since,
      max(s.expires_at) FILTER (WHERE s.expires_at > now()) AS old_secret_until
    FROM callback_secret s WHERE s.callback_endpoint_id = e.id
  ) s;
GRANT SELECT ON callback_endpoint_row TO heliograph_api;

GRANT SELECT ON event, callback_endpoint, callback TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT INSERT ON event TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT DELETE ON event, callback, callback_secret TO heliograph_worker;
GRANT INSERT, UPDATE, DELETE ON callback_endpoint TO heliograph_api;
GRANT INSERT, UPDATE ON callback_endpoint, callback, callback_secret, callback_progress TO heliograph_worker;
GRANT SELECT ON callback_secret, callback_progress TO heliograph_worker;
GRANT SELECT (id, corporation_id, callback_endpoint_id, shown, created_at, expires_at), INSERT, UPDATE (shown, expires_at) ON callback_secret
  TO heliograph_api;
GRANT INSERT, UPDATE ON callback TO heliograph_api;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker, heliograph_sender;
