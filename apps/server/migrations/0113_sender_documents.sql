-- Letters of authorization and other papers of a sender ID; their bytes are stored files.
CREATE TABLE sender_document (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  sender_id_id bigint NOT NULL, -- without a reference: the papers outlive the sender ID
  name text NOT NULL,
  type text NOT NULL CHECK (type IN ('application/pdf', 'image/png', 'image/jpeg')), -- by its first bytes
  size integer NOT NULL,
  sha256 text NOT NULL,
  file_path text NOT NULL,
  added_by bigint, -- person who added it; without a reference, as people are deleted
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sender_document_sender_id_id ON sender_document (sender_id_id, id);
CREATE INDEX sender_document_corporation_id ON sender_document (corporation_id);

ALTER TABLE sender_document ENABLE ROW LEVEL SECURITY;
ALTER TABLE sender_document FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON sender_document TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[])
    AND ((SELECT scope_department()) IS NULL OR sender_is_for(sender_id_id, (SELECT scope_department()))));
CREATE POLICY inside ON sender_document TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, DELETE ON sender_document TO heliograph_api;
GRANT SELECT, DELETE ON sender_document TO heliograph_worker;
GRANT USAGE ON SEQUENCE sender_document_id_seq TO heliograph_api;
