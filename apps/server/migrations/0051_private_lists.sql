-- A private list is seen by its creator alone, so its name is taken for nobody else.
-- contract: demanded: unique index number_list.number_list_private_name_key
ALTER TABLE number_list DROP CONSTRAINT number_list_department_id_name_key;
CREATE UNIQUE INDEX number_list_department_id_name_key ON number_list (department_id, name) WHERE NOT private;
CREATE UNIQUE INDEX number_list_private_name_key ON number_list (department_id, created_by, name) WHERE private;
