-- One name, whatever its case, blanks, width or composition.
ALTER TABLE department DROP CONSTRAINT department_corporation_id_name_key;
SELECT part_names('department', 'name', 'departments', 'corporation_id', 100);
CREATE UNIQUE INDEX department_corporation_id_name_key ON department (corporation_id, name_key(name));
