-- A carrier may ask that sender IDs are registered with it before messages leave under them.
ALTER TABLE link ADD COLUMN asks_registration boolean NOT NULL DEFAULT false;
GRANT SELECT (asks_registration) ON link TO heliograph_api;
CREATE TRIGGER registration_asked AFTER INSERT OR UPDATE OF asks_registration, for_tests ON link
  FOR EACH STATEMENT EXECUTE FUNCTION renew_carrier_route_version();
