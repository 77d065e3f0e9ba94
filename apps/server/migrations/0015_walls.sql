-- The second wall where only the first one stood.

-- What is read into a list is seen by whoever sees the list: a department's files are no other department's.
DROP POLICY caller ON import;
CREATE POLICY caller ON import TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND number_list_id IN (SELECT id FROM number_list)
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));

-- Rate zones are one for all, and the platform's to change.
ALTER TABLE rate_zone ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_zone FORCE ROW LEVEL SECURITY;
CREATE POLICY caller_reads ON rate_zone FOR SELECT TO heliograph_api USING (true);
CREATE POLICY caller_adds ON rate_zone FOR INSERT TO heliograph_api WITH CHECK ((SELECT scope_is_platform()));
CREATE POLICY caller_changes ON rate_zone FOR UPDATE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY caller_removes ON rate_zone FOR DELETE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON rate_zone TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
