-- Account keys are unique in a corporation, as the names are in 0047.
-- contract: demanded: constraint billing_account.billing_account_key_key UNIQUE (corporation_id, key)
ALTER TABLE billing_account DROP CONSTRAINT billing_account_key_key;
ALTER TABLE billing_account ADD CONSTRAINT billing_account_key_key UNIQUE (corporation_id, key);
CREATE INDEX billing_account_key ON billing_account (key);
