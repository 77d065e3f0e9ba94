-- One name, whatever its case, blanks, width or composition. Keys stay as they are: other systems know accounts by them.
ALTER TABLE billing_account DROP CONSTRAINT billing_account_corporation_id_name_key;
SELECT part_names('billing_account', 'name', 'billing-accounts', 'corporation_id', 100);
CREATE UNIQUE INDEX billing_account_corporation_id_name_key ON billing_account (corporation_id, name_key(name));
