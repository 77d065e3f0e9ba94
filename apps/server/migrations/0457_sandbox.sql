-- contract: demanded: unique index link.link_virtual
-- The sandbox: a virtual carrier of the platform for messages of test keys, and what its handsets hold.

-- The link of the virtual carrier. It has the settings of a link so that everything behind a link works for it, but no
-- address: a sender of the release before cannot reach anything through it.
ALTER TABLE link ADD COLUMN virtual boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX link_virtual ON link (virtual) WHERE virtual;
GRANT SELECT (virtual) ON link TO heliograph_api, heliograph_intake;

-- Makes the link of the virtual carrier when the first message of a test key needs it.
CREATE FUNCTION make_virtual_carrier() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  INSERT INTO link (name, host, port, system_id, for_tests, virtual, window_size)
  SELECT 'Virtual carrier' || CASE nth WHEN 1 THEN '' ELSE ' ' || nth END, 'sandbox.invalid', 1, 'sandbox', true, true, 100
  FROM generate_series(1, 1000) AS nth
  WHERE NOT EXISTS (SELECT FROM link WHERE name = 'Virtual carrier' || CASE nth WHEN 1 THEN '' ELSE ' ' || nth END)
  ORDER BY nth LIMIT 1
  ON CONFLICT DO NOTHING
$$;
REVOKE EXECUTE ON FUNCTION make_virtual_carrier() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_virtual_carrier() TO heliograph_intake;

-- Parts that a virtual handset received. One row for a part, however often it is handed over.
CREATE TABLE sandbox_part (
  message_id bigint NOT NULL,
  part smallint NOT NULL,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  number text NOT NULL, -- of the handset
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (message_id, part)
);
CREATE INDEX sandbox_part_number ON sandbox_part (corporation_id, number, message_id);
CREATE INDEX sandbox_part_received_at ON sandbox_part (received_at);

-- Receipts (as deliver_sm) and answers of handsets that come later.
CREATE TABLE sandbox_due (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  message_id bigint NOT NULL,
  due_at timestamptz NOT NULL,
  pdu bytea,
  reply text
);
CREATE INDEX sandbox_due_due_at ON sandbox_due (due_at);
CREATE INDEX sandbox_due_corporation_id ON sandbox_due (corporation_id, due_at);

-- Texts that handsets sent. Their ids are those of the inbox, because programs read both with one cursor. They are no part
-- of the inbox: a test must not appear in conversations with people.
CREATE TABLE sandbox_reply (
  id bigint PRIMARY KEY DEFAULT nextval('inbox_message_id_seq'),
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  department_id bigint,
  user_id bigint,
  number text NOT NULL, -- of the handset
  recipient text NOT NULL, -- sender ID or number that it answers
  text text NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sandbox_reply_number ON sandbox_reply (corporation_id, number, id);
CREATE INDEX sandbox_reply_corporation_id ON sandbox_reply (corporation_id, id);
CREATE INDEX sandbox_reply_received_at ON sandbox_reply (received_at);

-- Messages of test keys by day.
CREATE TABLE sandbox_use (
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  day date NOT NULL, -- UTC
  messages integer NOT NULL,
  PRIMARY KEY (corporation_id, day)
);

DO $$ DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['sandbox_part', 'sandbox_due', 'sandbox_reply', 'sandbox_use'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api
      USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true)', t);
    EXECUTE format('GRANT SELECT, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
-- A text of a handset belongs to who sent the message that it answers, as a reply of a person does.
ALTER POLICY caller ON sandbox_reply USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND ((SELECT scope_department()) IS NULL OR department_id IS NULL OR department_id = (SELECT scope_department()))
  AND (NOT (SELECT scope_is_user()) OR user_id IS NULL OR user_id = (SELECT scope_user())));
GRANT SELECT, INSERT ON sandbox_part, sandbox_reply TO heliograph_sender;
GRANT SELECT, INSERT, UPDATE, DELETE ON sandbox_due TO heliograph_sender; -- to update: to lock rows
GRANT SELECT ON sandbox_part, sandbox_due, sandbox_use TO heliograph_api;
GRANT SELECT, INSERT ON sandbox_reply TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON sandbox_use TO heliograph_intake;
GRANT USAGE ON SEQUENCE inbox_message_id_seq TO heliograph_sender, heliograph_api;
