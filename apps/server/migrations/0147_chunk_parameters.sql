-- Values of vendor parameters by name. Null as a rule, which costs no octet.
ALTER TABLE chunk ADD COLUMN parameters jsonb;
