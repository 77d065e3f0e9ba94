-- What the guard counts is written with each start, so it costs as little as possible: times are indexed by ranges of pages.
DROP INDEX verify_counter_created_at;
CREATE INDEX verify_counter_created_at ON verify_counter USING brin (created_at);
-- Changes of a history touch no index, and each finds room in its page.
DROP INDEX verify_prefix_at;
CREATE INDEX verify_prefix_at ON verify_prefix USING brin (at);
ALTER TABLE verify_prefix SET (fillfactor = 50);
-- A check of the service for each row would cost more than the row. Its counts are removed with it all the same.
ALTER TABLE verify_counter DROP CONSTRAINT verify_counter_service_id_fkey;
ALTER TABLE verify_prefix DROP CONSTRAINT verify_prefix_service_id_fkey;
CREATE FUNCTION remove_verify_counts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  DELETE FROM verify_counter WHERE service_id IN (SELECT id FROM removed);
  DELETE FROM verify_prefix WHERE service_id IN (SELECT id FROM removed);
  RETURN NULL;
END $$;
CREATE TRIGGER remove_counts AFTER DELETE ON verify_service REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION remove_verify_counts();
