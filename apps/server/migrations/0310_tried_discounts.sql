-- Volume discounts of a trial, by account and month: what the terms give by the amounts that were charged, and by the tried prices.
-- Amounts are thousandths of the currency. Trials of before have none.
ALTER TABLE price_trial ADD COLUMN discounts jsonb;
