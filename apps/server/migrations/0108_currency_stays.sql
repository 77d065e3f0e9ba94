-- A corporation's amounts are in its currency, which stays once its ledger has an entry. The lock waits for transfers that are
-- under way, because their foreign key holds the row, and later ones wait for the end of the change.
CREATE FUNCTION keep_currency() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.currency = OLD.currency THEN RETURN NEW; END IF;
  PERFORM FROM corporation WHERE id = NEW.id FOR UPDATE;
  IF EXISTS (SELECT FROM billing_account b JOIN ledger_transfer t ON t.billing_account_id = b.id WHERE b.corporation_id = NEW.id) THEN
    RAISE EXCEPTION 'money of the corporation has moved' USING ERRCODE = 'check_violation', CONSTRAINT = 'corporation_currency_stays';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER currency_stays BEFORE UPDATE OF currency ON corporation FOR EACH ROW EXECUTE FUNCTION keep_currency();
