-- Fields that a corporation gives its contacts. A field has one of the columns of the table of contacts, so that segments compare
-- typed columns. A removed field keeps its column until a job has emptied it.
CREATE TABLE contact_field (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  key text NOT NULL, -- for programs and texts
  type text NOT NULL CHECK (type IN ('text', 'number', 'date', 'choice', 'yes_no')),
  choices text[] NOT NULL DEFAULT '{}',
  slot text NOT NULL, -- column of contact
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT contact_field_slot_key UNIQUE (corporation_id, slot)
);
CREATE UNIQUE INDEX contact_field_name_key ON contact_field (corporation_id, name_key(name)) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX contact_field_key_key ON contact_field (corporation_id, key) WHERE removed_at IS NULL;

-- People whom a corporation knows: one row for a number and corporation.
CREATE TABLE contact (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  number text COLLATE "C" NOT NULL,
  name text,
  tags text[] NOT NULL DEFAULT '{}',
  source text NOT NULL DEFAULT 'person' CHECK (source IN ('person', 'api', 'import')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  text_1 text, text_2 text, text_3 text, text_4 text, text_5 text, text_6 text, text_7 text, text_8 text, text_9 text, text_10 text,
  text_11 text, text_12 text, text_13 text, text_14 text, text_15 text, text_16 text, text_17 text, text_18 text, text_19 text,
  text_20 text,
  number_1 double precision, number_2 double precision, number_3 double precision, number_4 double precision,
  number_5 double precision, number_6 double precision, number_7 double precision, number_8 double precision,
  number_9 double precision, number_10 double precision,
  date_1 date, date_2 date, date_3 date, date_4 date, date_5 date, date_6 date, date_7 date, date_8 date, date_9 date, date_10 date,
  flag_1 boolean, flag_2 boolean, flag_3 boolean, flag_4 boolean, flag_5 boolean, flag_6 boolean, flag_7 boolean, flag_8 boolean,
  flag_9 boolean, flag_10 boolean,
  CONSTRAINT contact_number_key UNIQUE (corporation_id, number)
);
CREATE INDEX contact_corporation_id ON contact (corporation_id, id);
CREATE INDEX contact_name ON contact (corporation_id, lower(name) text_pattern_ops) WHERE name IS NOT NULL;
CREATE INDEX contact_tags ON contact USING gin (tags) WHERE tags <> '{}';

-- Clicks of a person are shown on the page of the contact.
CREATE INDEX short_link_click_msisdn ON short_link_click (msisdn, corporation_id);

CREATE VIEW contact_field_row WITH (security_invoker) AS
  SELECT f.id, f.corporation_id, c.name AS corporation_name, f.name, f.key, f.type, f.choices, f.slot, f.created_at
  FROM contact_field f JOIN corporation c ON c.id = f.corporation_id WHERE f.removed_at IS NULL;

CREATE VIEW contact_row WITH (security_invoker) AS
  SELECT c.*, (SELECT o.name FROM corporation o WHERE o.id = c.corporation_id) AS corporation_name,
    coalesce((SELECT jsonb_object_agg(f.key, r.present -> f.slot) FROM (SELECT to_jsonb(c) AS present OFFSET 0) r, contact_field f
      WHERE f.corporation_id = c.corporation_id AND f.removed_at IS NULL AND r.present -> f.slot <> 'null'), '{}') AS fields,
    CASE WHEN EXISTS (SELECT FROM opt_out u WHERE u.corporation_id = c.corporation_id AND u.number = c.number AND u.ended_at IS NULL)
      THEN 'opt_out'
      ELSE coalesce((SELECT s.state FROM consent s WHERE s.corporation_id = c.corporation_id AND s.number = c.number
        ORDER BY array_position(ARRAY['opt_in', 'asked', 'opt_out'], s.state) LIMIT 1), 'none') END AS consent
  FROM contact c;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['contact_field', 'contact'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api
      USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON contact TO heliograph_api, heliograph_worker;
GRANT SELECT, INSERT, UPDATE ON contact_field TO heliograph_api;
GRANT SELECT, DELETE ON contact_field TO heliograph_worker;
GRANT SELECT ON contact_field_row, contact_row TO heliograph_api, heliograph_worker;
