-- A hold stops the sending of an account by class: `bulk` stops campaigns and bulk messages, `all` stops everything. The steps
-- of the seller's policy set and end it (hold_by `policy`), or a person does.
ALTER TABLE billing_account ADD COLUMN hold text NOT NULL DEFAULT 'none' CHECK (hold IN ('none', 'bulk', 'all'));
ALTER TABLE billing_account ADD COLUMN hold_by text CHECK (hold_by IN ('policy', 'person'));
ALTER TABLE billing_account ADD COLUMN grace_until date; -- no step is taken before this day
GRANT UPDATE (hold, hold_by, grace_until) ON billing_account TO heliograph_api;
GRANT UPDATE (hold, hold_by) ON billing_account TO heliograph_worker;

DROP VIEW billing_account_row;
CREATE VIEW billing_account_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, c.currency, p.name AS price_plan_name
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id JOIN price_plan p ON p.id = b.price_plan_id;
GRANT SELECT ON billing_account_row TO heliograph_api, heliograph_worker;

-- Days after a due date on which a seller takes each step against an account that has not paid; null: the step is left out.
CREATE TABLE credit_policy (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- the reseller; null for the platform
  enabled boolean NOT NULL DEFAULT false,
  payment_days smallint NOT NULL DEFAULT 14 CHECK (payment_days BETWEEN 0 AND 180),
  remind_after smallint DEFAULT 1 CHECK (remind_after BETWEEN 0 AND 365),
  warn_after smallint DEFAULT 7 CHECK (warn_after BETWEEN 0 AND 365),
  hold_after smallint DEFAULT 14 CHECK (hold_after BETWEEN 0 AND 365),
  suspend_after smallint DEFAULT 30 CHECK (suspend_after BETWEEN 1 AND 365),
  -- Everything stops only as the last step.
  CONSTRAINT credit_policy_order CHECK (remind_after <= warn_after AND warn_after <= hold_after AND remind_after <= hold_after
    AND (suspend_after IS NULL OR suspend_after > greatest(remind_after, warn_after, hold_after))),
  CONSTRAINT credit_policy_corporation_id_key UNIQUE NULLS NOT DISTINCT (corporation_id)
);

-- Steps that were taken against an account, one each for a due date. They end when it is paid.
CREATE TABLE credit_step (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  billing_account_id bigint NOT NULL REFERENCES billing_account ON DELETE CASCADE,
  due_on date NOT NULL,
  step text NOT NULL CHECK (step IN ('remind', 'warn', 'hold', 'suspend')),
  overdue bigint NOT NULL CHECK (overdue > 0),
  taken_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT credit_step_key UNIQUE (billing_account_id, due_on, step)
);
CREATE INDEX credit_step_corporation_id ON credit_step (corporation_id);
CREATE INDEX credit_step_open ON credit_step (billing_account_id) WHERE ended_at IS NULL;

ALTER TABLE credit_policy ENABLE ROW LEVEL SECURITY;
ALTER TABLE credit_policy FORCE ROW LEVEL SECURITY;
ALTER TABLE credit_step ENABLE ROW LEVEL SECURITY;
ALTER TABLE credit_step FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON credit_policy TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON credit_step FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON credit_policy TO CURRENT_USER, heliograph_worker USING (true);
CREATE POLICY inside ON credit_step TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON credit_policy TO heliograph_api;
GRANT SELECT ON credit_policy TO heliograph_worker;
GRANT SELECT ON credit_step TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON credit_step TO heliograph_worker;

-- Policy by which the seller of an account treats it. The account's own people see it, but not their seller's row.
CREATE FUNCTION policy_of_account(account_id bigint) RETURNS SETOF credit_policy
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT y.* FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
  JOIN credit_policy y ON y.corporation_id IS NOT DISTINCT FROM c.reseller_id
  WHERE b.id = account_id AND (coalesce(current_setting('role', true), 'none') <> 'heliograph_api'
    OR scope_is_platform() OR c.id = ANY (scope_corporations()))
$$;
-- Strictest hold of an account and of the reseller's account that pays for its traffic.
CREATE FUNCTION sending_hold(account_id bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT CASE max(CASE h.hold WHEN 'all' THEN 2 WHEN 'bulk' THEN 1 ELSE 0 END) WHEN 2 THEN 'all' WHEN 1 THEN 'bulk' ELSE 'none' END
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
  JOIN billing_account h ON h.id = b.id
    OR h.id = (SELECT min(r.id) FROM billing_account r WHERE r.corporation_id = c.reseller_id AND r.enabled)
  WHERE b.id = account_id
$$;
-- Accounts that pay for messages, locked: what they can spend, and their hold.
CREATE FUNCTION lock_funds(account_ids bigint[]) RETURNS TABLE (id bigint, available bigint, usable boolean, hold text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public AS $$
  SELECT b.id, b.credit_balance + b.credit_limit, b.enabled AND NOT b.suspended, b.hold
  FROM billing_account b WHERE b.id = ANY (account_ids) ORDER BY b.id FOR NO KEY UPDATE
$$;
REVOKE EXECUTE ON FUNCTION policy_of_account, sending_hold, lock_funds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION policy_of_account TO heliograph_api, heliograph_worker;
GRANT EXECUTE ON FUNCTION sending_hold TO heliograph_api, heliograph_worker;
GRANT EXECUTE ON FUNCTION lock_funds TO heliograph_intake;

-- A campaign is paused while payments of its account are overdue.
-- contract: demanded: constraint campaign.campaign_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['person'::text, 'blackout'::text, 'canary'::text, 'switched_off'::text, 'sender'::text, 'moderation'::text, 'unpaid'::text]))) NOT VALID
ALTER TABLE campaign DROP CONSTRAINT campaign_pause_reason_check;
ALTER TABLE campaign ADD CONSTRAINT campaign_pause_reason_check
  CHECK (pause_reason IN ('person', 'blackout', 'canary', 'switched_off', 'sender', 'moderation', 'unpaid')) NOT VALID;

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
