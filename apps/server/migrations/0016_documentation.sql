-- The documentation area: articles in a tree, their texts in other languages, their pictures, and the change log.

CREATE TABLE article (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text CONSTRAINT article_key_key UNIQUE, -- names one of the program's own articles, as a rule by the screen it explains
  parent_id bigint REFERENCES article,
  position integer NOT NULL DEFAULT 1000,
  is_parent boolean NOT NULL DEFAULT false,
  permission_id bigint REFERENCES permission, -- null: for everybody who may read the documentation
  title text NOT NULL,
  description text NOT NULL, -- sanitised HTML
  plain text NOT NULL, -- the same without its tags, for the search
  source_hash text, -- of the program's text that it shows
  edited boolean NOT NULL DEFAULT false, -- says something else than the program would, and so does not follow it
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  search tsvector GENERATED ALWAYS AS (setweight(to_tsvector('english', title), 'A') || to_tsvector('english', plain)) STORED,
  CONSTRAINT article_parent_id_title_key UNIQUE NULLS NOT DISTINCT (parent_id, title)
);
CREATE INDEX article_permission_id ON article (permission_id);
CREATE INDEX article_search ON article USING gin (search);

-- What an article says in a language that is not English; an article without it is shown in English.
CREATE TABLE article_translation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  article_id bigint NOT NULL REFERENCES article ON DELETE CASCADE,
  locale text NOT NULL CHECK (locale IN ('cn', 'zh', 'fp')),
  title text NOT NULL,
  description text NOT NULL,
  plain text NOT NULL,
  search tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', plain)) STORED,
  CONSTRAINT article_translation_article_id_locale_key UNIQUE (article_id, locale)
);
CREATE INDEX article_translation_search ON article_translation USING gin (search);

-- Shown by an address that nobody can guess: what a browser draws in a page carries no token.
CREATE TABLE article_image (
  key text PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('image/png', 'image/jpeg', 'image/webp')),
  data bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE change_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version text NOT NULL CONSTRAINT change_log_version_key UNIQUE,
  stability text NOT NULL CHECK (stability IN ('development', 'alpha', 'beta', 'candidate', 'stable')),
  description text NOT NULL,
  position integer NOT NULL DEFAULT 0, -- the place in the program's own log, the newest first; 0 for the operator's own
  built_in boolean NOT NULL DEFAULT false,
  source_hash text,
  edited boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Articles and versions that the program has offered: what an operator removed does not come back.
CREATE TABLE documentation_offered (key text PRIMARY KEY);

CREATE VIEW article_row WITH (security_invoker) AS
  WITH RECURSIVE placed AS (
    SELECT id, 0 AS depth FROM article WHERE parent_id IS NULL
    UNION ALL
    SELECT a.id, p.depth + 1 FROM article a JOIN placed p ON p.id = a.parent_id
  )
  SELECT a.id, a.key, a.parent_id, a.position, a.is_parent, a.permission_id, a.title, a.edited, a.created_at,
    a.updated_at, placed.depth, a.key IS NOT NULL AS built_in, parent.title AS parent_title, p.name AS permission_name,
    ARRAY(SELECT t.locale FROM article_translation t WHERE t.article_id = a.id ORDER BY t.locale) AS locales
  FROM article a JOIN placed USING (id) LEFT JOIN article parent ON parent.id = a.parent_id
  LEFT JOIN permission p ON p.id = a.permission_id;

-- Row level security: everybody reads, the platform's own people write.
DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['article', 'article_translation', 'article_image', 'change_log'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller_reads ON %I FOR SELECT TO heliograph_api USING (true)', t);
    EXECUTE format('CREATE POLICY caller_adds ON %I FOR INSERT TO heliograph_api WITH CHECK ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY caller_changes ON %I FOR UPDATE TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY caller_removes ON %I FOR DELETE TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth USING (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_api', t);
  END LOOP;
END $$;

GRANT SELECT ON article_row TO heliograph_api;
GRANT SELECT ON article_image TO heliograph_auth;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api;
