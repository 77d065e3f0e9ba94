-- One name, whatever its case, blanks, width or composition.
ALTER TABLE message_template DROP CONSTRAINT message_template_department_id_name_key;
SELECT part_names('message_template', 'name', 'message-templates', 'department_id', 100);
CREATE UNIQUE INDEX message_template_department_id_name_key ON message_template (department_id, name_key(name));
