-- Alarms ring on money that was spent. A reservation only sets money aside: most of it may come back, so it is counted as
-- there until it is charged.
CREATE OR REPLACE FUNCTION balance_crossed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  before bigint := OLD.credit_balance + OLD.reserved;
  after bigint := NEW.credit_balance + NEW.reserved;
BEGIN
  IF before >= NEW.low_balance_limit AND after < NEW.low_balance_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'low_balance', after);
  END IF;
  IF before >= -NEW.cost_warning_limit AND after < -NEW.cost_warning_limit THEN
    INSERT INTO balance_alert (corporation_id, billing_account_id, kind, balance)
    VALUES (NEW.corporation_id, NEW.id, 'cost_warning', after);
  END IF;
  RETURN NULL;
END $$;
-- The condition is looked at without calling anything, so that a batch that crosses nothing pays nothing.
CREATE OR REPLACE TRIGGER balance_crossed AFTER UPDATE ON billing_account FOR EACH ROW
  WHEN (NEW.credit_balance + NEW.reserved < OLD.credit_balance + OLD.reserved
    AND ((OLD.credit_balance + OLD.reserved >= NEW.low_balance_limit AND NEW.credit_balance + NEW.reserved < NEW.low_balance_limit)
      OR (OLD.credit_balance + OLD.reserved >= -NEW.cost_warning_limit AND NEW.credit_balance + NEW.reserved < -NEW.cost_warning_limit)))
  EXECUTE FUNCTION balance_crossed();
