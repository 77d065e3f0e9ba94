-- One name, whatever its case, blanks, width or composition.
ALTER TABLE api_key DROP CONSTRAINT api_key_user_id_name_key;
SELECT part_names('api_key', 'name', 'api-keys', 'user_id', 100);
CREATE UNIQUE INDEX api_key_user_id_name_key ON api_key (user_id, name_key(name));
