-- Messages from phones: which rule takes them, the inbox they come to, and the calls by which they are handed on.

ALTER TABLE inbound_message ADD COLUMN is_binary boolean NOT NULL DEFAULT false; -- then `text` is the octets, in hex
GRANT DELETE ON inbound_message TO heliograph_worker;

-- What confirms an opt-out is sent in spite of it.
ALTER TABLE chunk ADD COLUMN confirms_opt_out boolean NOT NULL DEFAULT false;

-- Messages in one part that came a moment ago, and by which session: what a carrier brings again by another one, since it
-- heard no answer, is known.
CREATE TABLE inbound_seen (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  digest bytea NOT NULL,
  session uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbound_seen_digest ON inbound_seen (digest);
CREATE INDEX inbound_seen_received_at ON inbound_seen (received_at);
ALTER TABLE inbound_seen ENABLE ROW LEVEL SECURITY;
ALTER TABLE inbound_seen FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON inbound_seen TO CURRENT_USER, heliograph_sender USING (true);
GRANT SELECT, INSERT, DELETE ON inbound_seen TO heliograph_sender;

-- What becomes of a message to a number: by its first word, or whatever it says where there is no keyword.
CREATE TABLE routing (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  number text NOT NULL, -- the short code or long number, digits alone
  keyword text,         -- null: whatever no keyword takes
  action text NOT NULL CHECK (action IN ('inbox', 'url')),
  campaign_name text,
  valid_replies text[] NOT NULL DEFAULT '{}', -- none: every reply is valid
  valid_reply_message text,
  invalid_reply_message text,
  sender_id_id bigint REFERENCES sender_id,  -- by which answers leave; null: the number itself
  user_id bigint CONSTRAINT routing_user_id_fkey REFERENCES user_account, -- whose messages they are; null: the corporation's
  url text,
  method text NOT NULL DEFAULT 'POST' CHECK (method IN ('POST', 'GET')),
  body_format text NOT NULL DEFAULT 'form' CHECK (body_format IN ('form', 'json')),
  username text,
  password_sealed text, -- with the server's key; null: none
  password_set_at timestamptz,
  reply_with_answer boolean NOT NULL DEFAULT false,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Corporations may share a number, but a word of it belongs to one of them.
CREATE UNIQUE INDEX routing_number_keyword_key ON routing (number, lower(keyword)) NULLS NOT DISTINCT;
CREATE INDEX routing_corporation_id ON routing (corporation_id);
CREATE INDEX routing_user_id ON routing (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX routing_sender_id_id ON routing (sender_id_id) WHERE sender_id_id IS NOT NULL;

CREATE TABLE inbox_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- null: to a number that is nobody's
  department_id bigint REFERENCES department,
  user_id bigint REFERENCES user_account ON DELETE SET NULL, -- whose it is; null: the department's, or the corporation's
  assigned_to bigint REFERENCES user_account ON DELETE SET NULL,
  routing_id bigint REFERENCES routing ON DELETE SET NULL,
  campaign_id bigint REFERENCES campaign, -- what it answers
  campaign_name text, -- as the rule names it
  link_id bigint NOT NULL,
  inbound_id bigint NOT NULL CONSTRAINT inbox_message_inbound_id_key UNIQUE, -- as the sender took it in
  oa text NOT NULL,     -- the phone
  number text NOT NULL, -- the short code, number or sender ID that it was sent to
  message text NOT NULL,
  keyword text,
  is_binary boolean NOT NULL DEFAULT false,
  parts smallint NOT NULL,
  total smallint NOT NULL,
  handled text NOT NULL CHECK (handled IN ('inbox', 'url', 'opt_out', 'opt_in', 'loop', 'unrouted')),
  valid boolean, -- null where no list of valid replies was asked
  reply_message text,   -- what was answered last
  reply_error text,     -- why the automatic answer was not sent: a code of the error catalogue
  sent_message_id bigint, -- the answer's own message
  replied_by bigint REFERENCES user_account ON DELETE SET NULL, -- null: the answer was automatic
  replied_at timestamptz,
  important boolean NOT NULL DEFAULT false,
  read_at timestamptz,
  received_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX inbox_message_corporation_id ON inbox_message (corporation_id, id);
CREATE INDEX inbox_message_oa ON inbox_message (corporation_id, oa, id);
CREATE INDEX inbox_message_unread ON inbox_message (corporation_id, id) WHERE read_at IS NULL;
CREATE INDEX inbox_message_campaign_id ON inbox_message (campaign_id) WHERE campaign_id IS NOT NULL;
CREATE INDEX inbox_message_routing_id ON inbox_message (routing_id) WHERE routing_id IS NOT NULL;
CREATE INDEX inbox_message_user_id ON inbox_message (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX inbox_message_assigned_to ON inbox_message (assigned_to) WHERE assigned_to IS NOT NULL;
CREATE INDEX inbox_message_replied_by ON inbox_message (replied_by) WHERE replied_by IS NOT NULL;

-- A message that is handed on to an address, and every try to do so.
CREATE TABLE routing_call (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  routing_id bigint NOT NULL REFERENCES routing ON DELETE CASCADE,
  inbox_message_id bigint NOT NULL REFERENCES inbox_message ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  tries integer NOT NULL DEFAULT 0,
  next_at timestamptz, -- null: no further try is due
  created_at timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz
);
CREATE INDEX routing_call_routing_id ON routing_call (routing_id, id);
CREATE INDEX routing_call_corporation_id ON routing_call (corporation_id, id);
CREATE INDEX routing_call_inbox_message_id ON routing_call (inbox_message_id);

CREATE TABLE routing_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  routing_call_id bigint NOT NULL REFERENCES routing_call ON DELETE CASCADE,
  status integer, -- of HTTP; null where nobody answered
  fault text,     -- why it failed; null where it did not
  duration_ms integer NOT NULL,
  answer text,    -- the beginning of what was answered
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX routing_attempt_routing_call_id ON routing_attempt (routing_call_id, id);

-- The password is no column of it.
CREATE VIEW routing_row WITH (security_invoker) AS
  SELECT r.id, r.corporation_id, c.name AS corporation_name, r.number, r.keyword, r.action, r.campaign_name, r.valid_replies,
    r.valid_reply_message, r.invalid_reply_message, r.sender_id_id, s.sender_id AS sender_id_name, r.user_id,
    u.name AS user_name, r.url, r.method, r.body_format, r.username, r.password_set_at, r.reply_with_answer, r.enabled,
    r.created_at
  FROM routing r JOIN corporation c ON c.id = r.corporation_id LEFT JOIN sender_id s ON s.id = r.sender_id_id
  LEFT JOIN user_account u ON u.id = r.user_id;

DO $$
DECLARE
  t text;
  rule text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
BEGIN
  FOR t, rule IN VALUES
    -- A rule is seen with the person it is for, and by people of user scope where they are that person.
    ('routing', by_corporation || ' AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user()))
      AND ((SELECT scope_department()) IS NULL OR user_id IS NULL OR EXISTS (SELECT FROM user_account u WHERE u.id = user_id))'),
    -- What nobody has for themselves is everybody's of the department, or of the corporation.
    ('inbox_message', by_corporation || ' AND (assigned_to = (SELECT scope_user()) OR (
      ((SELECT scope_department()) IS NULL OR department_id IS NULL OR department_id = (SELECT scope_department()))
      AND (NOT (SELECT scope_is_user()) OR user_id IS NULL OR user_id = (SELECT scope_user()))))'),
    ('routing_call', by_corporation || ' AND EXISTS (SELECT FROM routing r WHERE r.id = routing_id)
      AND EXISTS (SELECT FROM inbox_message i WHERE i.id = inbox_message_id)'),
    ('routing_attempt', by_corporation || ' AND EXISTS (SELECT FROM routing_call l WHERE l.id = routing_call_id)')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

-- Whoever gives away what only they saw does not see it any more, which an UPDATE of their own would not let them do.
CREATE FUNCTION give_inbox_messages(ids bigint[], colleague bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  UPDATE inbox_message SET assigned_to = colleague WHERE id = ANY (ids);
$$;
REVOKE EXECUTE ON FUNCTION give_inbox_messages(bigint[], bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION give_inbox_messages(bigint[], bigint) TO heliograph_api;

GRANT SELECT (id, corporation_id, number, keyword, action, campaign_name, valid_replies, valid_reply_message,
  invalid_reply_message, sender_id_id, user_id, url, method, body_format, username, password_set_at, reply_with_answer, enabled,
  created_at), INSERT, UPDATE, DELETE ON routing TO heliograph_api;
GRANT SELECT, UPDATE, DELETE ON inbox_message TO heliograph_api;
GRANT SELECT, UPDATE ON routing_call TO heliograph_api;
GRANT SELECT ON routing_attempt TO heliograph_api;
GRANT SELECT ON routing_row TO heliograph_api, heliograph_worker;
GRANT SELECT ON routing, inbox_message, routing_call, routing_attempt TO heliograph_worker, heliograph_sender;
GRANT INSERT, UPDATE ON inbox_message, routing_call TO heliograph_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT INSERT ON routing_attempt, set_aside TO heliograph_worker;

-- Whose number, or sender ID, a phone wrote to.
CREATE INDEX sender_id_upper ON sender_id (upper(sender_id));
