-- Work that a person asked for and can watch, in one table. Number lists that are imported, files of records, work on
-- lists, rate cards and files that are written for people become its partitions, one for each type of task. So nothing is
-- copied, ids stay, and the release before goes on with the five tables under their old names.
-- Ids come from one sequence now, as an identity that the partitions inherit.
-- contract: gone: grant USAGE ON bulk_upload_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON bulk_upload_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON bulk_upload_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON bulk_upload_id_seq TO heliograph_worker
-- contract: gone: grant USAGE ON card_upload_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON card_upload_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON card_upload_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON card_upload_id_seq TO heliograph_worker
-- contract: gone: grant USAGE ON download_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON download_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON download_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON download_id_seq TO heliograph_worker
-- contract: gone: grant USAGE ON import_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON import_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON import_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON import_id_seq TO heliograph_worker
-- contract: gone: grant USAGE ON list_job_id_seq TO heliograph_api
-- contract: gone: grant USAGE ON list_job_id_seq TO heliograph_intake
-- contract: gone: grant USAGE ON list_job_id_seq TO heliograph_sender
-- contract: gone: grant USAGE ON list_job_id_seq TO heliograph_worker
CREATE TABLE task (
  type text NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY, -- tasks of before may share an id with one of another type
  kind text NOT NULL, -- of an upload the resource, of work on a list what is done, of a file what it contains
  corporation_id bigint,
  user_id bigint NOT NULL, -- the person who asked
  number_list_id bigint,
  price_plan_id bigint,
  parameters jsonb NOT NULL DEFAULT '{}',
  read_national boolean NOT NULL DEFAULT true,
  mode text,
  mailed boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'queued',
  -- The uploaded file, and how it is read
  file_name text,
  file_path text, -- the uploaded file, or the one that is written
  file_sha256 text,
  reading jsonb NOT NULL DEFAULT '{}',
  read_as jsonb,
  columns jsonb,
  -- Progress
  bytes_total bigint NOT NULL DEFAULT 0,
  bytes_read bigint NOT NULL DEFAULT 0,
  rows_total bigint NOT NULL DEFAULT 0,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_added bigint NOT NULL DEFAULT 0,
  rows_changed bigint NOT NULL DEFAULT 0,
  rows_duplicate bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  rows_national integer NOT NULL DEFAULT 0,
  rows_new bigint NOT NULL DEFAULT 0,
  rows_same bigint NOT NULL DEFAULT 0,
  rates_missing bigint NOT NULL DEFAULT 0,
  preview jsonb NOT NULL DEFAULT '[]',
  faults jsonb NOT NULL DEFAULT '[]',
  -- The written file
  download_file text,
  rows bigint NOT NULL DEFAULT 0,
  size bigint,
  reached jsonb,
  downloaded_at timestamptz,
  error_path text, -- the refused rows
  error_code text,
  error_params jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
) PARTITION BY LIST (type);

ALTER TABLE card_upload ADD COLUMN kind text NOT NULL DEFAULT 'rate-cards';
DO $$
DECLARE
  part text;
  missing record;
  used bigint;
  last bigint := 0;
BEGIN
  FOREACH part IN ARRAY ARRAY['import', 'bulk_upload', 'list_job', 'card_upload', 'download'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN type text NOT NULL DEFAULT %L', part, part);
    FOR missing IN
      SELECT quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS definition
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = 'task'::regclass AND a.attnum > 0 AND NOT EXISTS (
        SELECT FROM pg_attribute o WHERE o.attrelid = part::regclass AND o.attname = a.attname)
    LOOP
      EXECUTE format('ALTER TABLE %I ADD COLUMN ', part) || missing.definition;
    END LOOP;
    EXECUTE format('SELECT last_value FROM %s', pg_get_serial_sequence(part, 'id')) INTO used;
    last := greatest(last, used);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN id DROP IDENTITY', part);
    EXECUTE format('ALTER TABLE task ATTACH PARTITION %I FOR VALUES IN (%L)', part, part);
  END LOOP;
  PERFORM setval(pg_get_serial_sequence('task', 'id'), last);
END $$;
CREATE INDEX task_user_id ON task (user_id, id);
CREATE INDEX task_open ON task (created_at) WHERE state IN ('queued', 'running', 'checking', 'applying');

-- Row level security: each type keeps the rule of its table. Through the API,
-- people only confirm and cancel tasks and open files.
ALTER TABLE task ENABLE ROW LEVEL SECURITY;
ALTER TABLE task FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON task TO CURRENT_USER, heliograph_worker USING (true);
CREATE POLICY import ON task TO heliograph_api USING (type = 'import'
  AND ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND number_list_id IN (SELECT id FROM number_list)
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
CREATE POLICY bulk_upload ON task TO heliograph_api USING (type = 'bulk_upload' AND user_id = (SELECT scope_user()));
CREATE POLICY list_job ON task TO heliograph_api USING (type = 'list_job'
  AND user_id = (SELECT scope_user()) AND number_list_id IN (SELECT id FROM number_list));
CREATE POLICY card_upload ON task TO heliograph_api USING (type = 'card_upload'
  AND ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[])));
CREATE POLICY download ON task TO heliograph_api USING (type = 'download' AND user_id = (SELECT scope_user()));
GRANT SELECT, INSERT ON task TO heliograph_api;
GRANT UPDATE (state, mode, error_code, downloaded_at, finished_at) ON task TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON task TO heliograph_worker;
