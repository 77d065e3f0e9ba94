-- A name or key is unique among what its owner sees. A refusal no longer tells a tenant of another's record.
-- Each demand is weaker than the one in its place.
-- contract: demanded: constraint billing_account.billing_account_key_key UNIQUE (corporation_id, key)
-- contract: demanded: constraint corporation.corporation_name_key UNIQUE NULLS NOT DISTINCT (reseller_id, name)
-- contract: demanded: constraint user_account.user_account_email_key UNIQUE NULLS NOT DISTINCT (corporation_id, department_id, email)
-- contract: demanded: unique index number_list.number_list_private_name_key

-- A reseller's customers by name; those of the platform, and resellers, among themselves.
ALTER TABLE corporation DROP CONSTRAINT corporation_name_key;
ALTER TABLE corporation ADD CONSTRAINT corporation_name_key UNIQUE NULLS NOT DISTINCT (reseller_id, name);

ALTER TABLE billing_account DROP CONSTRAINT billing_account_key_key;
ALTER TABLE billing_account ADD CONSTRAINT billing_account_key_key UNIQUE (corporation_id, key);
CREATE INDEX billing_account_key ON billing_account (key);

-- A person may have an account with each of several tenants by one address.
ALTER TABLE user_account DROP CONSTRAINT user_account_email_key;
ALTER TABLE user_account ADD CONSTRAINT user_account_email_key UNIQUE NULLS NOT DISTINCT (corporation_id, department_id, email);
CREATE INDEX user_account_email ON user_account (email);

-- A private list is seen by its creator alone.
ALTER TABLE number_list DROP CONSTRAINT number_list_department_id_name_key;
CREATE UNIQUE INDEX number_list_department_id_name_key ON number_list (department_id, name) WHERE NOT private;
CREATE UNIQUE INDEX number_list_private_name_key ON number_list (department_id, created_by, name) WHERE private;
