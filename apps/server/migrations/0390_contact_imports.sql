-- Contacts from files. The task of a file is a bulk_upload of the kind contacts.

-- Meaning of the columns of a file, by its headings: offered when the next file has the same ones.
CREATE TABLE contact_mapping (
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  headings_sha256 text NOT NULL,
  targets text[] NOT NULL, -- by position: number, name, tags, the id of a field, or empty for a column that is left out
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (corporation_id, headings_sha256)
);

-- Contacts that a file added or changed, for as long as the import can be undone.
CREATE TABLE contact_change (
  bulk_upload_id bigint NOT NULL REFERENCES bulk_upload ON DELETE CASCADE,
  corporation_id bigint NOT NULL, -- that of the import, with which the row goes
  contact_id bigint NOT NULL,
  number text COLLATE "C" NOT NULL,
  before jsonb, -- columns of contact before the change; null for an added contact
  listed boolean NOT NULL DEFAULT false, -- true if the number was put into the list of the import
  at timestamptz NOT NULL, -- contact.updated_at after the change
  PRIMARY KEY (bulk_upload_id, contact_id)
);
CREATE INDEX contact_change_number ON contact_change (number);

-- Rows of a file that could not become contacts, until a person has mended them.
CREATE TABLE refused_contact (
  bulk_upload_id bigint NOT NULL REFERENCES bulk_upload ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  line bigint NOT NULL,
  cells jsonb NOT NULL, -- text by the meaning of the column
  PRIMARY KEY (bulk_upload_id, line)
);
CREATE INDEX refused_contact_corporation_id ON refused_contact (corporation_id);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['contact_mapping', 'contact_change', 'refused_contact'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
  -- A person sees the rows of their own files only, as the tasks.
  FOREACH t IN ARRAY ARRAY['contact_change', 'refused_contact'] LOOP
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (
      ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
      AND EXISTS (SELECT FROM task k WHERE k.type = ''bulk_upload'' AND k.id = bulk_upload_id))', t);
  END LOOP;
END $$;
CREATE POLICY caller ON contact_mapping TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
GRANT MAINTAIN ON contact TO heliograph_worker;
GRANT SELECT ON contact_mapping TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON contact_mapping TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE ON contact_change TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_change TO heliograph_worker;
GRANT SELECT, DELETE ON refused_contact TO heliograph_api;
GRANT SELECT, INSERT, DELETE ON refused_contact TO heliograph_worker;
