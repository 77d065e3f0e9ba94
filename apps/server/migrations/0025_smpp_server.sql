-- The SMPP server for the binds of customers: who may bind, who is bound, parts that wait for the rest of their message,
-- and what waits to be brought to customers.

CREATE TABLE smpp_system_id (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  user_id bigint NOT NULL CONSTRAINT smpp_system_id_user_id_fkey REFERENCES user_account,
  system_id text NOT NULL CONSTRAINT smpp_system_id_system_id_key UNIQUE CHECK (octet_length(system_id) BETWEEN 1 AND 15),
  password_hash text, -- null: nobody can bind
  password_set_at timestamptz,
  addresses text[] NOT NULL DEFAULT '{}', -- from which it may bind; none: from anywhere
  max_binds integer NOT NULL DEFAULT 4 CHECK (max_binds BETWEEN 1 AND 100),
  window_size integer NOT NULL DEFAULT 100 CHECK (window_size BETWEEN 1 AND 10000), -- of a bind, in either direction
  rate integer CHECK (rate > 0), -- messages a second over all its binds; null: what the corporation may
  default_class message_class NOT NULL DEFAULT 'transactional',
  classes text[] NOT NULL DEFAULT '{transactional}', -- which priority_flag may ask for
  default_charset text NOT NULL DEFAULT 'gsm' CHECK (default_charset IN ('gsm', 'gsm_packed', 'latin1', 'ascii')),
  octets text NOT NULL DEFAULT 'refuse' CHECK (octets IN ('refuse', 'latin1', 'utf8')), -- data_coding 2 and 4
  receives_replies boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX smpp_system_id_corporation_id ON smpp_system_id (corporation_id);
CREATE INDEX smpp_system_id_user_id ON smpp_system_id (user_id);

-- A bind, while it lasts: its process says so every few seconds, and what it does not say for a while is over.
CREATE TABLE smpp_session (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  smpp_system_id_id bigint NOT NULL REFERENCES smpp_system_id ON DELETE CASCADE,
  process text NOT NULL,
  mode text NOT NULL CHECK (mode IN ('transmitter', 'receiver', 'transceiver')),
  version text NOT NULL,
  address text NOT NULL,
  tls boolean NOT NULL,
  bound_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  unbind boolean NOT NULL DEFAULT false, -- somebody asked for its end
  submitted bigint NOT NULL DEFAULT 0, -- messages taken
  refused bigint NOT NULL DEFAULT 0,
  throttled bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0, -- receipts and replies it acknowledged
  in_flight integer NOT NULL DEFAULT 0, -- of those, not acknowledged yet
  slow_since timestamptz -- since when its window is full and more waits
) WITH (fillfactor = 50);
CREATE INDEX smpp_session_smpp_system_id_id ON smpp_session (smpp_system_id_id);
CREATE INDEX smpp_session_process ON smpp_session (process);

CREATE FUNCTION smpp_session_is_live(seen_at timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN seen_at > now() - interval '20 seconds';

-- Binds that failed, by address and system id, and by address alone.
CREATE UNLOGGED TABLE smpp_failure (
  key text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  first_at timestamptz NOT NULL DEFAULT now(),
  locked_until timestamptz
);

-- Long messages whose parts come one by one, acknowledged under the id by which the whole is known.
CREATE TABLE smpp_long_message (
  id bigint PRIMARY KEY, -- of no message: what the program is told
  corporation_id bigint NOT NULL REFERENCES corporation,
  smpp_system_id_id bigint NOT NULL REFERENCES smpp_system_id ON DELETE CASCADE,
  key text, -- addresses, and the reference with its kind and total; null: no further part belongs to it
  total smallint NOT NULL,
  recipient text NOT NULL,
  envelope jsonb NOT NULL, -- all else of the message, as its first part said it
  received_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT smpp_long_message_key UNIQUE (smpp_system_id_id, key)
);
CREATE INDEX smpp_long_message_received_at ON smpp_long_message (received_at);
CREATE TABLE smpp_part (
  smpp_long_message_id bigint NOT NULL REFERENCES smpp_long_message ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  number smallint NOT NULL,
  body bytea NOT NULL,
  data_coding smallint NOT NULL,
  udh_octets smallint NOT NULL,
  registered_delivery smallint NOT NULL,
  PRIMARY KEY (smpp_long_message_id, number)
);

-- Receipts and replies on their way to customers: a row until it is acknowledged.
CREATE TABLE smpp_delivery (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  smpp_system_id_id bigint NOT NULL REFERENCES smpp_system_id ON DELETE CASCADE,
  message_id bigint, -- as the program knows it whose receipt this is; null: it is a message from a phone
  state text,
  error text,
  source text NOT NULL, -- addresses as deliver_sm has them
  destination text NOT NULL,
  text text NOT NULL, -- of a message from a phone; of a receipt its message's beginning
  is_binary boolean NOT NULL DEFAULT false, -- then `text` is the octets, in hex
  submitted_at timestamptz NOT NULL,
  done_at timestamptz NOT NULL,
  claimed_by text,
  claimed_until timestamptz, -- nobody else brings it before
  tries integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
CREATE INDEX smpp_delivery_smpp_system_id_id ON smpp_delivery (smpp_system_id_id, id);
CREATE INDEX smpp_delivery_created_at ON smpp_delivery (created_at);

-- How far the events were read from which the above is made.
CREATE TABLE smpp_feed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  cursor text
);
INSERT INTO smpp_feed DEFAULT VALUES;

DO $$
DECLARE
  t text;
  rule text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
  of_system_id text := ' AND EXISTS (SELECT FROM smpp_system_id s WHERE s.id = smpp_system_id_id)';
BEGIN
  FOR t, rule IN VALUES
    -- A system id is seen with its person, and by people of user scope where they are that person.
    ('smpp_system_id', by_corporation || ' AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user()))
      AND ((SELECT scope_department()) IS NULL OR EXISTS (SELECT FROM user_account u WHERE u.id = user_id))'),
    ('smpp_session', by_corporation || of_system_id),
    ('smpp_long_message', by_corporation || of_system_id),
    ('smpp_part', by_corporation),
    ('smpp_delivery', by_corporation || of_system_id)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['smpp_failure', 'smpp_feed'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;

-- The password is no column of it.
CREATE VIEW smpp_system_id_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, c.name AS corporation_name, s.user_id, u.name AS user_name, s.system_id, s.password_set_at,
    s.addresses, s.max_binds, s.window_size, s.rate, s.default_class, s.classes, s.default_charset, s.octets,
    s.receives_replies, s.enabled, s.created_at,
    (SELECT count(*) FROM smpp_session e WHERE e.smpp_system_id_id = s.id AND smpp_session_is_live(e.seen_at)) AS binds,
    (SELECT count(*) FROM smpp_delivery d WHERE d.smpp_system_id_id = s.id) AS waiting
  FROM smpp_system_id s JOIN corporation c ON c.id = s.corporation_id LEFT JOIN user_account u ON u.id = s.user_id;

CREATE VIEW smpp_session_row WITH (security_invoker) AS
  SELECT e.*, c.name AS corporation_name, s.system_id, s.user_id, u.name AS user_name
  FROM smpp_session e JOIN smpp_system_id s ON s.id = e.smpp_system_id_id JOIN corporation c ON c.id = e.corporation_id
  LEFT JOIN user_account u ON u.id = s.user_id
  WHERE smpp_session_is_live(e.seen_at);

GRANT SELECT (id, corporation_id, user_id, system_id, password_set_at, addresses, max_binds, window_size, rate, default_class,
  classes, default_charset, octets, receives_replies, enabled, created_at), INSERT, UPDATE, DELETE
  ON smpp_system_id TO heliograph_api;
GRANT SELECT, UPDATE (unbind) ON smpp_session TO heliograph_api;
GRANT SELECT (id, smpp_system_id_id, corporation_id) ON smpp_delivery TO heliograph_api;
GRANT SELECT ON smpp_system_id_row, smpp_session_row TO heliograph_api;
GRANT SELECT ON smpp_system_id TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON smpp_session, smpp_failure, smpp_long_message, smpp_part, smpp_delivery TO heliograph_worker;
GRANT SELECT, UPDATE ON smpp_feed TO heliograph_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker;
