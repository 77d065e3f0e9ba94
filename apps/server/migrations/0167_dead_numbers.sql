-- Numbers that a quote skipped because a lookup said that nobody has them. Its campaign skips the same ones, whatever later
-- lookups say: the messages are those that were quoted.
CREATE TABLE quote_dead (
  quote_id bigint PRIMARY KEY REFERENCES quote ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  numbers text[] NOT NULL
);
CREATE INDEX quote_dead_corporation_id ON quote_dead (corporation_id);
ALTER TABLE quote_dead ENABLE ROW LEVEL SECURITY;
ALTER TABLE quote_dead FORCE ROW LEVEL SECURITY;
-- The API reads none of it.
CREATE POLICY caller ON quote_dead TO heliograph_api USING (false);
CREATE POLICY inside ON quote_dead TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON quote_dead TO heliograph_worker;
