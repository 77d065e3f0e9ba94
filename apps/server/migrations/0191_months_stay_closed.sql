-- No entry is written into a closed month. Processes let the database date entries, so late receipts are entries of the open month.
CREATE FUNCTION keep_months_closed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF EXISTS (SELECT FROM posted p JOIN billing_account b ON b.id = p.billing_account_id WHERE p.created_at < b.closed_until) THEN
    RAISE EXCEPTION 'the month of an entry is closed' USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfer_month_open';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER month_open AFTER INSERT ON ledger_transfer REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION keep_months_closed();
