-- One name, whatever its case, blanks, width or composition.
ALTER TABLE carrier_route DROP CONSTRAINT carrier_route_name_key;
SELECT part_names('carrier_route', 'name', 'carrier-routes', 'NULL', 100);
CREATE UNIQUE INDEX carrier_route_name_key ON carrier_route (name_key(name));
