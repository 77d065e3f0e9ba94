-- What a process reads under its own login, and read as the owner before: whether it is ready, and the figures of links.
GRANT SELECT ON schema_migrations TO heliograph_api, heliograph_worker, heliograph_sender;
GRANT SELECT ON link_state TO heliograph_worker;
CREATE POLICY monitoring ON link_state FOR SELECT TO heliograph_worker USING (true);
