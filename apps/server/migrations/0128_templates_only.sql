-- A sender ID may be limited to approved templates.
ALTER TABLE sender_id ADD COLUMN templates_only boolean NOT NULL DEFAULT false;
CREATE INDEX sender_id_templates_only ON sender_id (corporation_id) WHERE templates_only;
