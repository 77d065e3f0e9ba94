-- One name, whatever its case, blanks, width or composition.
ALTER TABLE price_plan DROP CONSTRAINT price_plan_corporation_id_name_key;
SELECT part_names('price_plan', 'name', 'price-plans', 'corporation_id', 100);
CREATE UNIQUE INDEX price_plan_corporation_id_name_key ON price_plan (corporation_id, name_key(name)) NULLS NOT DISTINCT;
