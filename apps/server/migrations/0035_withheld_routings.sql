-- A withheld routing has no effect: its number is another corporation's. It stands in nobody's way.
ALTER TABLE routing ADD COLUMN withheld boolean NOT NULL DEFAULT false;
DROP INDEX routing_number_keyword_key;
CREATE UNIQUE INDEX routing_number_keyword_key ON routing (number, lower(keyword)) NULLS NOT DISTINCT WHERE NOT withheld;
GRANT SELECT (withheld) ON routing TO heliograph_api;
