-- One name, whatever its case, blanks, width or composition.
DROP INDEX rate_zone_name_key;
SELECT part_names('rate_zone', 'name', 'rate-zones', 'NULL', 30);
CREATE UNIQUE INDEX rate_zone_name_key ON rate_zone (name_key(name));
