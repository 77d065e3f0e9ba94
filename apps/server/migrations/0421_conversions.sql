-- What people did after a message, as a program reported it: a purchase, a registration. Nobody's number is stored, only the
-- campaign that it is counted for, and the link. A program repeats a report by its reference.
CREATE TABLE conversion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  reference_hash text NOT NULL, -- SHA-256 of the program's reference
  name text NOT NULL,
  value bigint, -- thousandths
  currency text,
  happened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  counted_by text CHECK (counted_by IN ('code', 'click', 'message')), -- null for no campaign
  campaign_id bigint,
  place smallint, -- place of the link in the text
  CONSTRAINT conversion_reference_key UNIQUE (corporation_id, reference_hash),
  CONSTRAINT conversion_value CHECK ((value IS NULL) = (currency IS NULL))
);
CREATE INDEX conversion_campaign_id ON conversion (campaign_id);
ALTER TABLE conversion ENABLE ROW LEVEL SECURITY;
ALTER TABLE conversion FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON conversion TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON conversion TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT ON conversion TO heliograph_api;
GRANT SELECT ON conversion TO heliograph_worker;
