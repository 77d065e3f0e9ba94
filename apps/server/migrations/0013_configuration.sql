-- What operators and corporations configure: blacklists, blackout times, templates, aliases, senders of departments,
-- settings and the console's own words.

-- A file of records, read in the background: its counts, and where rows were refused the file that says why.
CREATE TABLE bulk_upload (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null for records that belong to the platform
  kind text NOT NULL, -- the resource whose records it holds
  parameters jsonb NOT NULL, -- what all of its records have in common
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  file_name text NOT NULL,
  file_path text NOT NULL,
  file_sha256 text NOT NULL,
  bytes_total bigint NOT NULL,
  bytes_read bigint NOT NULL DEFAULT 0,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_added bigint NOT NULL DEFAULT 0,
  rows_duplicate bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  error_code text,
  error_path text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);
-- The same file twice at once is a slip of the hand; later it may be meant.
CREATE UNIQUE INDEX bulk_upload_file ON bulk_upload (kind, corporation_id, parameters, file_sha256) NULLS NOT DISTINCT
  WHERE finished_at IS NULL;
CREATE INDEX bulk_upload_user_id ON bulk_upload (user_id);

-- Blacklists ---------------------------------------------------------------------------------------------------------

ALTER TABLE blacklist_number
  ADD COLUMN channel text NOT NULL DEFAULT 'all' CHECK (channel IN ('all', 'web', 'api')),
  DROP CONSTRAINT blacklist_number_key,
  ADD CONSTRAINT blacklist_number_key UNIQUE NULLS NOT DISTINCT (corporation_id, number, sender_id_id, channel, opt_out);
CREATE VIEW blacklist_number_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, s.sender_id AS sender_id_name
  FROM blacklist_number b JOIN corporation c ON c.id = b.corporation_id LEFT JOIN sender_id s ON s.id = b.sender_id_id;
GRANT SELECT ON blacklist_number_row TO heliograph_api;
GRANT INSERT ON blacklist_number TO heliograph_worker;

-- Texts are found whatever their case, so they are kept once whatever their case.
ALTER TABLE blacklist_text DROP CONSTRAINT blacklist_text_text_key;
CREATE UNIQUE INDEX blacklist_text_text_key ON blacklist_text (lower(text));
GRANT INSERT, UPDATE, DELETE ON blacklist_text TO heliograph_api;

-- Corporations and departments ---------------------------------------------------------------------------------------

-- Hours of each day, in the corporation's time zone, in which no campaign starts; they may pass midnight.
CREATE TABLE blackout_time (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL CONSTRAINT blackout_time_corporation_id_key UNIQUE REFERENCES corporation,
  start_time text NOT NULL CHECK (start_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  end_time text NOT NULL CHECK (end_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE message_template (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint NOT NULL REFERENCES department,
  name text NOT NULL,
  template text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT message_template_department_id_name_key UNIQUE (department_id, name)
);

-- Which departments a sender ID is for. One without any is for all of its corporation.
CREATE TABLE sender_id_assignment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint NOT NULL REFERENCES department,
  sender_id_id bigint NOT NULL REFERENCES sender_id,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sender_id_assignment_key UNIQUE (department_id, sender_id_id)
);
CREATE INDEX sender_id_assignment_sender_id_id ON sender_id_assignment (sender_id_id);
-- It sees the assignments of other departments, which its caller may not, and answers no more than yes or no.
CREATE FUNCTION sender_is_for(sender bigint, department bigint) RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN NOT EXISTS (SELECT FROM sender_id_assignment WHERE sender_id_id = sender)
    OR EXISTS (SELECT FROM sender_id_assignment WHERE sender_id_id = sender AND department_id = department);
ALTER POLICY caller ON sender_id USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND ((SELECT scope_department()) IS NULL OR sender_is_for(id, (SELECT scope_department()))));
GRANT INSERT ON sender_id TO heliograph_worker;

-- Words that mean the same as another word, by which replies are routed.
CREATE TABLE alias (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  word text NOT NULL,
  aliases text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX alias_corporation_id_word_key ON alias (corporation_id, lower(word));
-- Every word of a corporation stands for one thing alone, whether as a word or as an alias.
CREATE TABLE alias_word (
  corporation_id bigint NOT NULL,
  word text NOT NULL,
  alias_id bigint NOT NULL REFERENCES alias ON DELETE CASCADE,
  CONSTRAINT alias_word_pkey PRIMARY KEY (corporation_id, word)
);
CREATE INDEX alias_word_alias_id ON alias_word (alias_id);
CREATE FUNCTION keep_alias_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM alias_word WHERE alias_id = NEW.id;
  INSERT INTO alias_word (corporation_id, word, alias_id)
    SELECT DISTINCT NEW.corporation_id, lower(w), NEW.id FROM unnest(NEW.aliases || NEW.word) AS w;
  RETURN NULL;
END $$;
CREATE TRIGGER alias_words AFTER INSERT OR UPDATE ON alias FOR EACH ROW EXECUTE FUNCTION keep_alias_words();

CREATE VIEW blackout_time_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, c.timezone FROM blackout_time b JOIN corporation c ON c.id = b.corporation_id;
CREATE VIEW message_template_row WITH (security_invoker) AS
  SELECT m.*, c.name AS corporation_name, d.name AS department_name
  FROM message_template m JOIN corporation c ON c.id = m.corporation_id JOIN department d ON d.id = m.department_id;
CREATE VIEW sender_id_assignment_row WITH (security_invoker) AS
  SELECT a.*, c.name AS corporation_name, d.name AS department_name, s.sender_id AS sender_id_name
  FROM sender_id_assignment a JOIN corporation c ON c.id = a.corporation_id
  JOIN department d ON d.id = a.department_id JOIN sender_id s ON s.id = a.sender_id_id;
CREATE VIEW alias_row WITH (security_invoker) AS
  SELECT a.*, c.name AS corporation_name FROM alias a JOIN corporation c ON c.id = a.corporation_id;

-- The platform's own -------------------------------------------------------------------------------------------------

ALTER TABLE global_configuration ADD COLUMN id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT global_configuration_id_key UNIQUE;
GRANT INSERT, UPDATE, DELETE ON global_configuration TO heliograph_api;

-- The console's words. Those that came with the program follow it until somebody has edited them.
CREATE TABLE language_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "group" text NOT NULL,
  key text NOT NULL,
  en text NOT NULL,
  cn text NOT NULL,
  zh text NOT NULL,
  fp text NOT NULL,
  built_in boolean NOT NULL DEFAULT false,
  edited boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT language_line_group_key_key UNIQUE ("group", key)
);
CREATE INDEX language_line_edited ON language_line (id) WHERE edited;
GRANT INSERT, UPDATE ON language_line TO heliograph_worker;

-- Row level security: the second wall --------------------------------------------------------------------------------

DO $$
DECLARE
  t text;
  reads text;
  writes text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
  by_department text := '((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))';
  own text := 'user_id = (SELECT scope_user())';
  platform text := '(SELECT scope_is_platform())';
BEGIN
  FOR t, reads, writes IN VALUES
    ('bulk_upload', own, own),
    ('blackout_time', by_corporation, by_corporation),
    ('message_template', by_corporation || ' AND ' || by_department, by_corporation || ' AND ' || by_department),
    ('sender_id_assignment', by_corporation || ' AND ' || by_department, by_corporation || ' AND ' || by_department),
    ('alias', by_corporation, by_corporation),
    ('alias_word', by_corporation, by_corporation),
    ('blacklist_text', 'true', platform),
    ('global_configuration', 'true', platform),
    ('language_line', 'true', platform)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller_reads ON %I FOR SELECT TO heliograph_api USING (%s)', t, reads);
    EXECUTE format('CREATE POLICY caller_adds ON %I FOR INSERT TO heliograph_api WITH CHECK (%s)', t, writes);
    EXECUTE format('CREATE POLICY caller_changes ON %I FOR UPDATE TO heliograph_api USING (%s)', t, writes);
    EXECUTE format('CREATE POLICY caller_removes ON %I FOR DELETE TO heliograph_api USING (%s)', t, writes);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON bulk_upload, blackout_time, message_template, sender_id_assignment, alias, alias_word,
  language_line TO heliograph_api;
GRANT SELECT ON blackout_time_row, message_template_row, sender_id_assignment_row, alias_row TO heliograph_api;
GRANT SELECT ON bulk_upload, blackout_time, message_template, sender_id_assignment, alias, alias_word, language_line TO heliograph_worker, heliograph_sender;
GRANT UPDATE ON bulk_upload TO heliograph_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker, heliograph_sender;
