-- Conversations of the inbox: the messages of one phone to one corporation, for each owner. A message's owner decides who
-- sees it, so a row of this table is visible to exactly the people who see its messages. Triggers keep the rows: a program
-- of the release before goes on writing messages, and its conversations are right.
CREATE TABLE conversation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- null: to a number that belongs to nobody
  oa text NOT NULL, -- the phone
  department_id bigint REFERENCES department,
  user_id bigint REFERENCES user_account ON DELETE CASCADE, -- the messages then belong to everybody, in another row
  assigned_to bigint REFERENCES user_account ON DELETE SET NULL,
  last_id bigint NOT NULL, -- the newest message of the phone
  last_at timestamptz NOT NULL, -- of it, or of a person's answer
  unread integer NOT NULL DEFAULT 0,
  closed_at timestamptz, -- null: open. A conversation with an unread message is always open
  closed_by bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT conversation_owner_key UNIQUE NULLS NOT DISTINCT (corporation_id, oa, department_id, user_id)
);
CREATE INDEX conversation_open ON conversation (corporation_id, last_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX conversation_closed ON conversation (corporation_id, last_at DESC, id DESC) WHERE closed_at IS NOT NULL;
CREATE INDEX conversation_all_open ON conversation (last_at DESC, id DESC) WHERE closed_at IS NULL;
CREATE INDEX conversation_all_closed ON conversation (last_at DESC, id DESC) WHERE closed_at IS NOT NULL;
CREATE INDEX conversation_unassigned ON conversation (corporation_id, last_at DESC, id DESC)
  WHERE closed_at IS NULL AND assigned_to IS NULL;
CREATE INDEX conversation_assigned_to ON conversation (assigned_to, last_at DESC) WHERE assigned_to IS NOT NULL;
CREATE INDEX conversation_oa ON conversation (oa text_pattern_ops);
CREATE INDEX conversation_user_id ON conversation (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX conversation_department_id ON conversation (department_id) WHERE department_id IS NOT NULL;
CREATE INDEX conversation_closed_by ON conversation (closed_by) WHERE closed_by IS NOT NULL;

-- Lines between the messages of a conversation: notes of colleagues, and its changes of state.
CREATE TABLE conversation_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  conversation_id bigint NOT NULL REFERENCES conversation ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('note', 'assigned', 'closed', 'reopened')),
  text text, -- of a note
  user_id bigint REFERENCES user_account ON DELETE SET NULL, -- the person who did it; null: a new message reopened it
  assigned_to bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX conversation_entry_conversation_id ON conversation_entry (conversation_id, created_at DESC);
CREATE INDEX conversation_entry_user_id ON conversation_entry (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX conversation_entry_assigned_to ON conversation_entry (assigned_to) WHERE assigned_to IS NOT NULL;
CREATE INDEX conversation_entry_created_at ON conversation_entry (created_at);

-- Moment of the last thing that was said: by the phone, or by a person of ours.
CREATE FUNCTION said_at(message inbox_message) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
  'SELECT greatest(message.received_at, CASE WHEN message.replied_by IS NOT NULL THEN message.replied_at END)';

-- Sets the conversations of these messages to what their messages now are, and deletes those that have none any more.
CREATE FUNCTION recount_conversations(changed inbox_message[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  ids bigint[];
BEGIN
  SELECT array_agg(id) INTO ids FROM (
    SELECT c.id FROM conversation c WHERE EXISTS (SELECT FROM unnest(changed) m
      WHERE m.oa = c.oa AND m.corporation_id IS NOT DISTINCT FROM c.corporation_id
        AND m.department_id IS NOT DISTINCT FROM c.department_id AND m.user_id IS NOT DISTINCT FROM c.user_id)
      AND c.oa IN (SELECT m.oa FROM unnest(changed) m)
    ORDER BY c.id FOR UPDATE) locked;
  UPDATE conversation c SET last_id = m.last_id, last_at = m.last_at, unread = m.unread
  FROM conversation own CROSS JOIN LATERAL (
    SELECT max(i.id) AS last_id, max(said_at(i)) AS last_at, count(*) FILTER (WHERE i.read_at IS NULL) AS unread
    FROM inbox_message i WHERE i.oa = own.oa AND i.corporation_id IS NOT DISTINCT FROM own.corporation_id
      AND i.department_id IS NOT DISTINCT FROM own.department_id AND i.user_id IS NOT DISTINCT FROM own.user_id) m
  WHERE own.id = ANY (ids) AND c.id = own.id AND m.last_id IS NOT NULL;
  DELETE FROM conversation c WHERE c.id = ANY (ids) AND NOT EXISTS (SELECT FROM inbox_message i
    WHERE i.oa = c.oa AND i.corporation_id IS NOT DISTINCT FROM c.corporation_id
      AND i.department_id IS NOT DISTINCT FROM c.department_id AND i.user_id IS NOT DISTINCT FROM c.user_id);
END $$;
REVOKE EXECUTE ON FUNCTION recount_conversations(inbox_message[]) FROM PUBLIC;

-- New messages begin a conversation or continue it. An unread one reopens it; STOP and its like are read at once and do not.
CREATE FUNCTION take_into_conversations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO conversation_entry (conversation_id, kind, created_at)
    SELECT c.id, 'reopened', a.first_at FROM (
      SELECT corporation_id, oa, department_id, user_id, min(received_at) AS first_at
      FROM added WHERE read_at IS NULL GROUP BY 1, 2, 3, 4) a
    JOIN conversation c ON c.oa = a.oa AND c.corporation_id IS NOT DISTINCT FROM a.corporation_id
      AND c.department_id IS NOT DISTINCT FROM a.department_id AND c.user_id IS NOT DISTINCT FROM a.user_id
    WHERE c.closed_at IS NOT NULL AND c.closed_by IS NOT NULL ORDER BY c.id FOR UPDATE OF c;
  INSERT INTO conversation AS c (corporation_id, oa, department_id, user_id, assigned_to, last_id, last_at, unread, closed_at)
    SELECT a.corporation_id, a.oa, a.department_id, a.user_id, (array_agg(a.assigned_to ORDER BY a.id DESC))[1], max(a.id),
      max(greatest(a.received_at, CASE WHEN a.replied_by IS NOT NULL THEN a.replied_at END)),
      count(*) FILTER (WHERE a.read_at IS NULL),
      CASE WHEN bool_and(a.handled IN ('url', 'opt_out', 'opt_in', 'loop') AND a.read_at IS NOT NULL) THEN max(a.received_at) END
    FROM added a GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3, 4
    ON CONFLICT ON CONSTRAINT conversation_owner_key DO UPDATE SET
      last_id = greatest(c.last_id, excluded.last_id), last_at = greatest(c.last_at, excluded.last_at),
      unread = c.unread + excluded.unread,
      closed_at = CASE WHEN excluded.unread = 0 THEN c.closed_at END,
      closed_by = CASE WHEN excluded.unread = 0 THEN c.closed_by END;
  -- The person in charge of a conversation sees its new messages too.
  UPDATE inbox_message i SET assigned_to = c.assigned_to FROM added a
    JOIN conversation c ON c.oa = a.oa AND c.corporation_id IS NOT DISTINCT FROM a.corporation_id
      AND c.department_id IS NOT DISTINCT FROM a.department_id AND c.user_id IS NOT DISTINCT FROM a.user_id
    WHERE i.id = a.id AND c.assigned_to IS NOT NULL AND i.assigned_to IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER take_into_conversations AFTER INSERT ON inbox_message REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION take_into_conversations();

CREATE FUNCTION change_conversations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  moved inbox_message[];
BEGIN
  UPDATE conversation c SET unread = c.unread + d.unread, last_at = greatest(c.last_at, d.replied_at),
    assigned_to = CASE WHEN d.given THEN d.assigned_to ELSE c.assigned_to END,
    closed_at = CASE WHEN d.unread <= 0 THEN c.closed_at END, closed_by = CASE WHEN d.unread <= 0 THEN c.closed_by END
  FROM (
    SELECT n.corporation_id, n.oa, n.department_id, n.user_id,
      sum((n.read_at IS NULL)::integer - (o.read_at IS NULL)::integer) AS unread,
      max(n.replied_at) FILTER (WHERE n.replied_by IS NOT NULL AND n.replied_at IS DISTINCT FROM o.replied_at) AS replied_at,
      bool_or(n.assigned_to IS DISTINCT FROM o.assigned_to) AS given,
      (array_agg(n.assigned_to ORDER BY n.id DESC) FILTER (WHERE n.assigned_to IS DISTINCT FROM o.assigned_to))[1] AS assigned_to
    FROM now_so n JOIN before o ON o.id = n.id
    WHERE (n.read_at IS NULL) <> (o.read_at IS NULL) OR n.replied_at IS DISTINCT FROM o.replied_at
      OR n.assigned_to IS DISTINCT FROM o.assigned_to
    GROUP BY 1, 2, 3, 4) d
  WHERE c.oa = d.oa AND c.corporation_id IS NOT DISTINCT FROM d.corporation_id
    AND c.department_id IS NOT DISTINCT FROM d.department_id AND c.user_id IS NOT DISTINCT FROM d.user_id;
  -- Messages of a person who is deleted become everybody's. Their conversation keeps its state.
  SELECT array_agg(o::inbox_message) INTO moved FROM now_so n JOIN before o ON o.id = n.id
    WHERE (n.corporation_id, n.oa, n.department_id, n.user_id) IS DISTINCT FROM (o.corporation_id, o.oa, o.department_id, o.user_id);
  IF moved IS NOT NULL THEN
    INSERT INTO conversation (corporation_id, oa, department_id, user_id, last_id, last_at, closed_at)
      SELECT n.corporation_id, n.oa, n.department_id, n.user_id, max(n.id), max(n.received_at),
        CASE WHEN bool_and(n.read_at IS NOT NULL) THEN now() END
      FROM now_so n WHERE n.id IN (SELECT m.id FROM unnest(moved) m) GROUP BY 1, 2, 3, 4
      ON CONFLICT ON CONSTRAINT conversation_owner_key DO NOTHING;
    PERFORM recount_conversations(moved || (SELECT array_agg(n::inbox_message) FROM now_so n
      WHERE n.id IN (SELECT m.id FROM unnest(moved) m)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER change_conversations AFTER UPDATE ON inbox_message REFERENCING OLD TABLE AS before NEW TABLE AS now_so
  FOR EACH STATEMENT EXECUTE FUNCTION change_conversations();

CREATE FUNCTION remove_from_conversations() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM recount_conversations((SELECT array_agg(r::inbox_message) FROM removed r));
  RETURN NULL;
END $$;
CREATE TRIGGER remove_from_conversations AFTER DELETE ON inbox_message REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_from_conversations();

-- Conversations of the messages that are here. Those that were read, and are older than a month, are closed.
INSERT INTO conversation (corporation_id, oa, department_id, user_id, assigned_to, last_id, last_at, unread, closed_at, created_at)
  SELECT i.corporation_id, i.oa, i.department_id, i.user_id, (array_agg(i.assigned_to ORDER BY i.id DESC))[1], max(i.id),
    max(said_at(i)), count(*) FILTER (WHERE i.read_at IS NULL),
    CASE WHEN bool_and(i.read_at IS NOT NULL)
      AND (max(i.received_at) < now() - interval '30 days' OR bool_and(i.handled IN ('url', 'opt_out', 'opt_in', 'loop')))
      THEN max(said_at(i)) END,
    min(i.received_at)
  FROM inbox_message i GROUP BY 1, 2, 3, 4 ORDER BY max(i.id);

-- Assigns conversations with all their messages. Somebody who gives away what only they saw does not see it afterwards, and
-- an UPDATE of their own is refused for that.
CREATE FUNCTION give_conversations(ids bigint[], colleague bigint) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  UPDATE inbox_message i SET assigned_to = colleague FROM conversation c
  WHERE c.id = ANY (ids) AND i.oa = c.oa AND i.corporation_id IS NOT DISTINCT FROM c.corporation_id
    AND i.department_id IS NOT DISTINCT FROM c.department_id AND i.user_id IS NOT DISTINCT FROM c.user_id
    AND i.assigned_to IS DISTINCT FROM colleague;
  UPDATE conversation SET assigned_to = colleague WHERE id = ANY (ids) AND assigned_to IS DISTINCT FROM colleague;
$$;
REVOKE EXECUTE ON FUNCTION give_conversations(bigint[], bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION give_conversations(bigint[], bigint) TO heliograph_api;

DO $$
DECLARE
  t text;
  rule text;
BEGIN
  FOR t, rule IN VALUES
    ('conversation', '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
      AND (assigned_to = (SELECT scope_user()) OR (
      ((SELECT scope_department()) IS NULL OR department_id IS NULL OR department_id = (SELECT scope_department()))
      AND (NOT (SELECT scope_is_user()) OR user_id IS NULL OR user_id = (SELECT scope_user()))))'),
    ('conversation_entry', 'EXISTS (SELECT FROM conversation c WHERE c.id = conversation_id)')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT ON conversation, conversation_entry TO heliograph_api, heliograph_worker;
GRANT UPDATE (closed_at, closed_by) ON conversation TO heliograph_api;
GRANT INSERT ON conversation_entry TO heliograph_api;
GRANT USAGE ON SEQUENCE conversation_entry_id_seq TO heliograph_api;

-- Notes lose their texts with the messages of their day.
ALTER FUNCTION redact_texts(date) RENAME TO redact_messages;
CREATE FUNCTION redact_texts(wanted date) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT redact_messages(wanted);
  UPDATE conversation_entry SET text = '[removed]' WHERE kind = 'note' AND text <> '[removed]'
    AND created_at >= wanted::timestamp AT TIME ZONE 'UTC' AND created_at < (wanted + 1)::timestamp AT TIME ZONE 'UTC';
$$;
REVOKE EXECUTE ON FUNCTION redact_texts(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION redact_texts(date) TO heliograph_worker;
