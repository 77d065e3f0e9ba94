-- One name, whatever its case, blanks, width or composition.
DROP INDEX number_list_department_id_name_key;
DROP INDEX number_list_private_name_key;
SELECT part_names('number_list', 'name', 'number-lists', 'department_id, CASE WHEN private THEN created_by END, private', 100);
CREATE UNIQUE INDEX number_list_department_id_name_key ON number_list (department_id, name_key(name)) WHERE NOT private;
CREATE UNIQUE INDEX number_list_private_name_key ON number_list (department_id, created_by, name_key(name)) WHERE private;
