-- Rules that choose contacts of a corporation. They name columns only by the ids of fields.
CREATE TABLE segment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  rule jsonb NOT NULL, -- with the version of its form
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX segment_name_key ON segment (corporation_id, name_key(name));

-- Contacts that the segments of a quote found when it was counted, in pages in the order of their numbers. A campaign of the
-- quote is written from them. The arrays of a page belong together.
CREATE TABLE quote_recipient (
  quote_id bigint NOT NULL REFERENCES quote ON DELETE CASCADE,
  segment_id bigint NOT NULL,
  page integer NOT NULL,
  corporation_id bigint NOT NULL,
  numbers text[] NOT NULL,
  names text[] NOT NULL,
  CONSTRAINT quote_recipient_pkey PRIMARY KEY (quote_id, segment_id, page)
);
ALTER TABLE quote_recipient ALTER numbers SET STORAGE EXTERNAL, ALTER names SET STORAGE EXTERNAL;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['segment', 'quote_recipient'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
CREATE POLICY caller ON segment TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON quote_recipient TO heliograph_api USING (false);
GRANT SELECT, INSERT, UPDATE, DELETE ON segment TO heliograph_api;
GRANT SELECT, UPDATE ON segment TO heliograph_worker; -- erasures
GRANT SELECT, INSERT, UPDATE, DELETE ON quote_recipient TO heliograph_worker;
