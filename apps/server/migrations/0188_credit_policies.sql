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
  corporation_id bigint NOT NULL,
  billing_account_id bigint NOT NULL, -- without a reference: an account that owes money cannot be deleted
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
REVOKE EXECUTE ON FUNCTION policy_of_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION policy_of_account TO heliograph_api, heliograph_worker;
