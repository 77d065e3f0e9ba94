-- One name, whatever its case, blanks, width or composition.
ALTER TABLE connection_type DROP CONSTRAINT connection_type_name_key;
SELECT part_names('connection_type', 'name', 'connection-types', 'NULL', 60);
CREATE UNIQUE INDEX connection_type_name_key ON connection_type (name_key(name));
