-- Imports load numbers with COPY, which PostgreSQL refuses on tables with row level security. So the rows move under a
-- partitioned table that has the policies, and the worker copies into its only partition, which no other role may use.
LOCK TABLE number_list, number_list_number IN ACCESS EXCLUSIVE MODE;

-- The foreign key looked up the list for each number, which was a third of an import. A trigger asks once a statement.
ALTER TABLE number_list_number DROP CONSTRAINT number_list_number_number_list_id_fkey;
ALTER TABLE number_list_number RENAME TO number_list_number_stored;

-- An error about a repeated number names the key of the partition, which keeps its name. The key of the whole is the
-- same columns, so it refuses nothing that was allowed.
-- contract: demanded: constraint number_list_number.number_list_number_whole_pkey PRIMARY KEY (number_list_id, number)
-- contract: demanded: unique index number_list_number.number_list_number_whole_pkey
CREATE TABLE number_list_number (LIKE number_list_number_stored INCLUDING DEFAULTS) PARTITION BY RANGE (number_list_id);
ALTER TABLE number_list_number ADD CONSTRAINT number_list_number_whole_pkey PRIMARY KEY (number_list_id, number);
ALTER TABLE number_list_number ATTACH PARTITION number_list_number_stored FOR VALUES FROM (MINVALUE) TO (MAXVALUE);

ALTER TABLE number_list_number ENABLE ROW LEVEL SECURITY;
ALTER TABLE number_list_number FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON number_list_number TO heliograph_api USING (number_list_id IN (SELECT id FROM number_list));
CREATE POLICY inside ON number_list_number TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON number_list_number TO heliograph_api, heliograph_worker;
GRANT SELECT ON number_list_number TO heliograph_sender;
GRANT MAINTAIN ON number_list_number TO heliograph_worker;

DROP POLICY caller ON number_list_number_stored;
DROP POLICY inside ON number_list_number_stored;
ALTER TABLE number_list_number_stored NO FORCE ROW LEVEL SECURITY;
ALTER TABLE number_list_number_stored DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON number_list_number_stored FROM heliograph_api, heliograph_sender, heliograph_worker;
-- COPY needs INSERT, and reads nothing. Statistics are kept for the partition too.
GRANT INSERT, MAINTAIN ON number_list_number_stored TO heliograph_worker;

CREATE OR REPLACE VIEW number_list_number_row WITH (security_invoker) AS
  SELECT n.*, EXISTS (SELECT FROM opt_out o JOIN number_list l ON l.corporation_id = o.corporation_id
    WHERE l.id = n.number_list_id AND o.number = n.number AND o.ended_at IS NULL) AS opted_out
  FROM number_list_number n;

-- Locks the lists of new numbers, as the foreign key did: a list is not deleted while it gets numbers.
CREATE FUNCTION numbers_have_lists() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  lists bigint[] := ARRAY(SELECT DISTINCT number_list_id FROM added ORDER BY 1);
BEGIN
  PERFORM FROM number_list WHERE id = ANY (lists) ORDER BY id FOR KEY SHARE;
  IF (SELECT count(*) FROM number_list WHERE id = ANY (lists)) < cardinality(lists) THEN
    RAISE foreign_key_violation USING MESSAGE = 'numbers were added to a list that does not exist',
      TABLE = 'number_list_number', CONSTRAINT = 'number_list_number_number_list_id_fkey';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER numbers_have_lists AFTER INSERT ON number_list_number REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION numbers_have_lists();
CREATE TRIGGER numbers_have_lists AFTER INSERT ON number_list_number_stored REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION numbers_have_lists();

CREATE FUNCTION numbers_stay_in_lists() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE 'a number is copied to another list and deleted here; it is not moved';
END $$;
CREATE TRIGGER numbers_stay_in_lists BEFORE UPDATE OF number_list_id ON number_list_number FOR EACH ROW
  WHEN (OLD.number_list_id <> NEW.number_list_id) EXECUTE FUNCTION numbers_stay_in_lists();

CREATE FUNCTION delete_numbers_of_list() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  DELETE FROM number_list_number WHERE number_list_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER delete_numbers AFTER DELETE ON number_list FOR EACH ROW EXECUTE FUNCTION delete_numbers_of_list();
