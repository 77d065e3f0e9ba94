-- Opt-outs, and the work on number lists.

-- Who asked for no more messages of a corporation, whichever of its senders they answered. One row a span: from the day
-- they said so until they came back, so that both can be proved. No setting skips it, and no file of numbers ends it.
CREATE TABLE opt_out (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  number text NOT NULL,
  source text NOT NULL CHECK (source IN ('message', 'person', 'import')),
  -- The proof: what the person wrote to which address, or who says so on which ground.
  sender_id_id bigint REFERENCES sender_id ON DELETE SET NULL, -- whose keyword it was; the opt-out is from all senders
  recipient text, -- the short code, number or sender ID that was answered
  keyword text,
  message text,
  inbound_message_id bigint,
  user_id bigint REFERENCES user_account ON DELETE SET NULL, -- who noted or imported it
  note text,
  opted_out_at timestamptz NOT NULL, -- when the person said so
  ended_at timestamptz, -- when they came back
  ended_message text,
  ended_inbound_message_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Senders read what is new to them by the transactions they have not seen, whenever those commit.
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE UNIQUE INDEX opt_out_number_key ON opt_out (corporation_id, number) WHERE ended_at IS NULL;
CREATE INDEX opt_out_corporation_id ON opt_out (corporation_id, id);
CREATE INDEX opt_out_number ON opt_out (number);
CREATE INDEX opt_out_changed_in ON opt_out (changed_in);
CREATE INDEX opt_out_user_id ON opt_out (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX opt_out_sender_id_id ON opt_out (sender_id_id) WHERE sender_id_id IS NOT NULL;

ALTER TABLE opt_out ENABLE ROW LEVEL SECURITY;
ALTER TABLE opt_out FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON opt_out TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON opt_out TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT, UPDATE ON opt_out TO heliograph_api, heliograph_worker, heliograph_sender;

-- One word a statement: senders look at once, and every quarter of a second anyway.
CREATE FUNCTION tell_opt_outs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('heliograph_opt_outs', '');
  RETURN NULL;
END $$;
CREATE TRIGGER opt_outs_changed AFTER INSERT OR UPDATE ON opt_out
  FOR EACH STATEMENT EXECUTE FUNCTION tell_opt_outs();

-- What stood among the blocked numbers until now. Row level security binds the owner too.
INSERT INTO opt_out (corporation_id, number, source, sender_id_id, note, opted_out_at, created_at)
  SELECT DISTINCT ON (corporation_id, number) corporation_id, number, 'import', sender_id_id, 'Kept among the blacklisted numbers before',
    created_at, created_at
  FROM blacklist_number WHERE opt_out ORDER BY corporation_id, number, created_at;
DELETE FROM blacklist_number WHERE opt_out;
DROP VIEW blacklist_number_row;
ALTER TABLE blacklist_number DROP CONSTRAINT blacklist_number_key, DROP COLUMN opt_out,
  DROP CONSTRAINT blacklist_number_channel_check,
  ADD CONSTRAINT blacklist_number_channel_check CHECK (channel IN ('all', 'web', 'api', 'smpp')),
  ADD CONSTRAINT blacklist_number_key UNIQUE NULLS NOT DISTINCT (corporation_id, number, sender_id_id, channel);
CREATE VIEW blacklist_number_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, s.sender_id AS sender_id_name
  FROM blacklist_number b JOIN corporation c ON c.id = b.corporation_id LEFT JOIN sender_id s ON s.id = b.sender_id_id;
GRANT SELECT ON blacklist_number_row TO heliograph_api;

CREATE VIEW opt_out_row WITH (security_invoker) AS
  SELECT o.*, o.ended_at IS NULL AS active, c.name AS corporation_name, s.sender_id AS sender_id_name, u.name AS user_name
  FROM opt_out o JOIN corporation c ON c.id = o.corporation_id LEFT JOIN sender_id s ON s.id = o.sender_id_id
  LEFT JOIN user_account u ON u.id = o.user_id;
GRANT SELECT ON opt_out_row TO heliograph_api, heliograph_worker;

-- Work on lists ------------------------------------------------------------------------------------------------------

-- Names are searched by how they begin; numbers are by the primary key.
CREATE INDEX number_list_number_name ON number_list_number (number_list_id, lower(name) text_pattern_ops) WHERE name IS NOT NULL;

CREATE VIEW number_list_number_row WITH (security_invoker) AS
  SELECT n.*, EXISTS (SELECT FROM opt_out o JOIN number_list l ON l.corporation_id = o.corporation_id
    WHERE l.id = n.number_list_id AND o.number = n.number AND o.ended_at IS NULL) AS opted_out
  FROM number_list_number n;
GRANT SELECT ON number_list_number_row TO heliograph_api, heliograph_worker;

-- What is done with many numbers of a list at once, in the background: all of it or nothing.
CREATE TABLE list_job (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  number_list_id bigint NOT NULL REFERENCES number_list ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('copy', 'move', 'merge', 'deduplicate', 'delete')),
  parameters jsonb NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  rows_total bigint NOT NULL DEFAULT 0,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_changed bigint NOT NULL DEFAULT 0,
  error_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
CREATE INDEX list_job_number_list_id ON list_job (number_list_id);
CREATE INDEX list_job_user_id ON list_job (user_id);
CREATE INDEX list_job_open ON list_job (created_at) WHERE finished_at IS NULL;
ALTER TABLE list_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE list_job FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON list_job TO heliograph_api
  USING (user_id = (SELECT scope_user()) AND number_list_id IN (SELECT id FROM number_list));
CREATE POLICY inside ON list_job TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT ON list_job TO heliograph_api;
GRANT SELECT, UPDATE, DELETE ON list_job TO heliograph_worker;
