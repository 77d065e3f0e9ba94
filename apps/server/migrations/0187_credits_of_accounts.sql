-- Payments into an account by time, for what is overdue. It stands alone: the table is large.
CREATE INDEX credit_change_added ON credit_change (billing_account_id, created_at) WHERE kind IN ('payment', 'refund', 'correction', 'transfer');
