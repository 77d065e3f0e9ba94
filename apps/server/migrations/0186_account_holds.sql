-- A hold stops the sending of an account by class: `bulk` stops campaigns and bulk messages, `all` stops everything. The steps
-- of the seller's policy set and end it (hold_by `policy`), or a person does.
-- contract: demanded: constraint billing_account.billing_account_hold_by_check CHECK ((hold_by = ANY (ARRAY['policy'::text, 'person'::text])))
-- contract: demanded: constraint billing_account.billing_account_hold_check CHECK ((hold = ANY (ARRAY['none'::text, 'bulk'::text, 'all'::text])))
ALTER TABLE billing_account ADD COLUMN hold text NOT NULL DEFAULT 'none' CHECK (hold IN ('none', 'bulk', 'all'));
ALTER TABLE billing_account ADD COLUMN hold_by text CHECK (hold_by IN ('policy', 'person'));
ALTER TABLE billing_account ADD COLUMN grace_until date; -- no step is taken before this day
GRANT UPDATE (hold, hold_by, grace_until) ON billing_account TO heliograph_api;
GRANT UPDATE (hold, hold_by) ON billing_account TO heliograph_worker;

-- The low-balance alarm looks at the amount that can still be spent: the credit after reserves, and the credit limit. The cost
-- warning stays at the debt without reserves, most of which may come back.
CREATE OR REPLACE FUNCTION balance_crossed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  owed_before bigint := OLD.credit_balance + OLD.reserved;
  owed_after bigint := NEW.credit_balance + NEW.reserved;
BEGIN
  IF OLD.credit_balance + OLD.credit_limit >= NEW.low_balance_limit AND NEW.credit_balance + NEW.credit_limit < NEW.low_balance_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'low_balance', NEW.credit_balance + NEW.credit_limit);
  END IF;
  IF owed_before >= -NEW.cost_warning_limit AND owed_after < -NEW.cost_warning_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'cost_warning', owed_after);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER balance_crossed AFTER UPDATE ON billing_account FOR EACH ROW
  WHEN ((OLD.credit_balance + OLD.credit_limit >= NEW.low_balance_limit AND NEW.credit_balance + NEW.credit_limit < NEW.low_balance_limit)
    OR (OLD.credit_balance + OLD.reserved >= -NEW.cost_warning_limit AND NEW.credit_balance + NEW.reserved < -NEW.cost_warning_limit))
  EXECUTE FUNCTION balance_crossed();
