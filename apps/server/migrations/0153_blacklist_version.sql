-- Number of changes of each corporation's blacklist of numbers, so that a quote sees without reading the list whether it has
-- changed. The sum of a corporation's rows grows with each change that is committed. A change that finds all rows locked adds one,
-- so changes never wait for each other.
CREATE TABLE blacklist_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  changes bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
CREATE INDEX blacklist_version_corporation_id ON blacklist_version (corporation_id);
ALTER TABLE blacklist_version ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON blacklist_version TO heliograph_api USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON blacklist_version TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON blacklist_version TO heliograph_api, heliograph_worker;

CREATE FUNCTION count_blacklist_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  changed bigint;
BEGIN
  -- The rows of a deleted corporation go with it.
  FOR changed IN SELECT id FROM corporation WHERE id IN (SELECT corporation_id FROM changed_rows) LOOP
    UPDATE blacklist_version SET changes = changes + 1 WHERE id = (
      SELECT id FROM blacklist_version WHERE corporation_id = changed LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF NOT FOUND THEN INSERT INTO blacklist_version (corporation_id) VALUES (changed); END IF;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION count_blacklist_change FROM PUBLIC;
CREATE TRIGGER count_added AFTER INSERT ON blacklist_number REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_blacklist_change();
CREATE TRIGGER count_changed AFTER UPDATE ON blacklist_number REFERENCING NEW TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_blacklist_change();
CREATE TRIGGER count_removed AFTER DELETE ON blacklist_number REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION count_blacklist_change();
