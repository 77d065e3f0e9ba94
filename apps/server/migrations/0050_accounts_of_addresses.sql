-- A person may have an account with each of several tenants by one address.
-- contract: demanded: constraint user_account.user_account_email_key UNIQUE NULLS NOT DISTINCT (corporation_id, department_id, email)
ALTER TABLE user_account DROP CONSTRAINT user_account_email_key;
ALTER TABLE user_account ADD CONSTRAINT user_account_email_key UNIQUE NULLS NOT DISTINCT (corporation_id, department_id, email);
CREATE INDEX user_account_email ON user_account (email);
