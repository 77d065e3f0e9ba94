-- Most installations hold no account: the clock of the campaigns sees it without reading all accounts.
CREATE INDEX billing_account_held ON billing_account (id) WHERE hold <> 'none';
