-- One name, whatever its case, blanks, width or composition.
ALTER TABLE link DROP CONSTRAINT link_name_key;
SELECT part_names('link', 'name', 'links', 'NULL', 100);
CREATE UNIQUE INDEX link_name_key ON link (name_key(name));
