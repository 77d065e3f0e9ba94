-- The text of a line in one language is a row, so that a further language takes no migration. A line without a text in a
-- language shows the English one.
CREATE TABLE language_text (
  language_line_id bigint NOT NULL REFERENCES language_line ON DELETE CASCADE,
  tag text NOT NULL, -- BCP 47
  text text NOT NULL,
  PRIMARY KEY (language_line_id, tag)
);
INSERT INTO language_text (language_line_id, tag, text)
  SELECT l.id, t.tag, t.text
  FROM language_line l, LATERAL (VALUES ('en-US', l.en), ('zh-Hans', l.cn), ('zh-Hant', l.zh), ('fil', l.fp)) AS t (tag, text);

ALTER TABLE language_text ENABLE ROW LEVEL SECURITY;
ALTER TABLE language_text FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON language_text FOR SELECT TO heliograph_api USING (true);
CREATE POLICY caller_adds ON language_text FOR INSERT TO heliograph_api WITH CHECK ((SELECT scope_is_platform()));
CREATE POLICY caller_changes ON language_text FOR UPDATE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON language_text TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT, UPDATE ON language_text TO heliograph_api, heliograph_worker;
GRANT SELECT ON language_text TO heliograph_sender;

-- The release before reads and writes a column for each of its languages. They follow the rows, and the rows follow them,
-- until no program of that release runs; then the columns, the functions and the triggers can go.
ALTER TABLE language_line
  ALTER en DROP NOT NULL, ALTER cn DROP NOT NULL, ALTER zh DROP NOT NULL, ALTER fp DROP NOT NULL;
CREATE FUNCTION language_columns_to_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO language_text AS present (language_line_id, tag, text)
    SELECT c.id, t.tag, t.text
    FROM changed c, LATERAL (VALUES ('en-US', c.en), ('zh-Hans', c.cn), ('zh-Hant', c.zh), ('fil', c.fp)) AS t (tag, text)
    WHERE t.text IS NOT NULL
    ON CONFLICT (language_line_id, tag) DO UPDATE SET text = excluded.text WHERE present.text <> excluded.text;
  RETURN NULL;
END $$;
-- The present program changes a line and its texts together: only columns that were written say something.
CREATE FUNCTION language_changes_to_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO language_text AS present (language_line_id, tag, text)
    SELECT c.id, t.tag, t.text
    FROM changed c JOIN former f USING (id), LATERAL (VALUES
      ('en-US', c.en, f.en), ('zh-Hans', c.cn, f.cn), ('zh-Hant', c.zh, f.zh), ('fil', c.fp, f.fp)) AS t (tag, text, was)
    WHERE t.text IS DISTINCT FROM t.was AND t.text IS NOT NULL
    ON CONFLICT (language_line_id, tag) DO UPDATE SET text = excluded.text WHERE present.text <> excluded.text;
  RETURN NULL;
END $$;
CREATE FUNCTION language_rows_to_columns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE language_line l
    SET en = coalesce(c.en, l.en), cn = coalesce(c.cn, l.cn), zh = coalesce(c.zh, l.zh), fp = coalesce(c.fp, l.fp)
    FROM (
      SELECT language_line_id, max(text) FILTER (WHERE tag = 'en-US') AS en, max(text) FILTER (WHERE tag = 'zh-Hans') AS cn,
        max(text) FILTER (WHERE tag = 'zh-Hant') AS zh, max(text) FILTER (WHERE tag = 'fil') AS fp
      FROM changed GROUP BY language_line_id
    ) c
    WHERE l.id = c.language_line_id;
  RETURN NULL;
END $$;
CREATE TRIGGER added_columns AFTER INSERT ON language_line REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION language_columns_to_rows();
CREATE TRIGGER changed_columns AFTER UPDATE ON language_line REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION language_changes_to_rows();
CREATE TRIGGER added_rows AFTER INSERT ON language_text REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION language_rows_to_columns();
CREATE TRIGGER changed_rows AFTER UPDATE ON language_text REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION language_rows_to_columns();
