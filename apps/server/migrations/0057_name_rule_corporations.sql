-- One name, whatever its case, blanks, width or composition.
ALTER TABLE corporation DROP CONSTRAINT corporation_name_key;
SELECT part_names('corporation', 'name', 'corporations', 'reseller_id', 100);
CREATE UNIQUE INDEX corporation_name_key ON corporation (reseller_id, name_key(name)) NULLS NOT DISTINCT;
