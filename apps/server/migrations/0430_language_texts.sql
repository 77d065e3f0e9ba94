-- Texts by language. One field of a corporation may say which language a contact speaks; a template has a text for each
-- language besides its own, as [{"language", "text"}], and the approved text and the history have copies.
ALTER TABLE contact_field ADD COLUMN is_language boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX contact_field_language_key ON contact_field (corporation_id) WHERE is_language AND removed_at IS NULL;
CREATE OR REPLACE VIEW contact_field_row WITH (security_invoker) AS
  SELECT f.id, f.corporation_id, c.name AS corporation_name, f.name, f.key, f.type, f.choices, f.slot, f.created_at, f.is_language
  FROM contact_field f JOIN corporation c ON c.id = f.corporation_id WHERE f.removed_at IS NULL;

ALTER TABLE message_template ADD COLUMN language_texts jsonb NOT NULL DEFAULT '[]';
ALTER TABLE approved_template ADD COLUMN language_texts jsonb NOT NULL DEFAULT '[]';
ALTER TABLE template_event ADD COLUMN language_texts jsonb NOT NULL DEFAULT '[]';
CREATE OR REPLACE VIEW message_template_row WITH (security_invoker) AS
  SELECT m.id, m.corporation_id, m.department_id, m.name, m.template, m.created_at, c.name AS corporation_name,
    d.name AS department_name, m.state, m.state_reason, m.requested_by, u.name AS requested_by_name, m.revision,
    a.template AS approved_text, a.template_id IS NOT NULL AS valid,
    false AS may_decide, -- the program answers it for its caller
    m.parameters, m.language_texts, coalesce(a.language_texts, '[]') AS approved_language_texts
  FROM message_template m JOIN corporation c ON c.id = m.corporation_id JOIN department d ON d.id = m.department_id
  LEFT JOIN approved_template a ON a.template_id = m.id LEFT JOIN user_account u ON u.id = m.requested_by;

-- How many messages have the text of which language, as [{"language", "count"}]; null for one text.
ALTER TABLE campaign ADD COLUMN languages jsonb;
GRANT UPDATE (languages) ON campaign TO heliograph_worker;
