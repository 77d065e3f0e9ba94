-- When a person put the checklist of the first campaign away; null: it is shown while no campaign was sent.
ALTER TABLE user_preference ADD COLUMN first_run_dismissed_at timestamptz;
-- When a person last asked the seller of their corporation's credit for some: at most once a day.
ALTER TABLE user_preference ADD COLUMN credit_asked_at timestamptz;

-- Plans with the currency of their accounts; of their owner if these differ or there are none.
CREATE VIEW price_plan_shown WITH (security_invoker) AS
  SELECT r.*, coalesce(
    (SELECT min(c.currency) FROM billing_account a JOIN corporation c ON c.id = a.corporation_id
      WHERE a.price_plan_id = r.id HAVING count(DISTINCT c.currency) = 1),
    (SELECT o.currency FROM corporation o WHERE o.id = r.corporation_id),
    (SELECT nullif(value, '') FROM global_configuration WHERE key = 'currency' AND enabled), 'PHP') AS currency
  FROM price_plan_row r;
GRANT SELECT ON price_plan_shown TO heliograph_api;
