-- True lets campaigns go only to those people of the list who opted in.
ALTER TABLE number_list ADD COLUMN requires_consent boolean NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW number_list_row WITH (security_invoker) AS
  SELECT l.id, l.corporation_id, l.department_id, l.name, l.enabled, l.private, l.numbers_count, l.created_by, l.created_at,
    c.name AS corporation_name, d.name AS department_name, l.requires_consent
  FROM number_list l JOIN corporation c ON c.id = l.corporation_id JOIN department d ON d.id = l.department_id;
