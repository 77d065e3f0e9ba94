-- Vendor TLVs of messages from phones, by name or tag. Null for none.
ALTER TABLE inbound_part ADD COLUMN parameters jsonb;
ALTER TABLE inbound_message ADD COLUMN parameters jsonb;
