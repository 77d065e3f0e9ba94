-- One name, whatever its case, blanks, width or composition.
ALTER TABLE change_log DROP CONSTRAINT change_log_version_key;
SELECT part_names('change_log', 'version', 'change-log', 'NULL', 40);
CREATE UNIQUE INDEX change_log_version_key ON change_log (name_key(version));
