-- Conversions of contacts, for segments: which contact a conversion was reported for. No number is stored, so nothing is left of
-- it when the contact is deleted. A corporation that does not keep who clicked stores none.
ALTER TABLE conversion ADD COLUMN contact_id bigint REFERENCES contact ON DELETE SET NULL;
CREATE INDEX conversion_contact_id ON conversion (contact_id, name, happened_at) WHERE contact_id IS NOT NULL;
GRANT UPDATE (contact_id) ON conversion TO heliograph_worker, heliograph_api;
