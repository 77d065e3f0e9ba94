-- Invoices, credit notes and receipts. A seller is the platform (null) or a reseller; buyers are its customers.

-- Seller's profile, as it appears on its documents.
CREATE TABLE invoice_issuer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- the reseller that sells; null for the platform
  preset text NOT NULL DEFAULT 'general' CHECK (preset IN ('general', 'philippines')),
  legal_name text NOT NULL,
  address text NOT NULL,
  city text NOT NULL,
  postal_code text,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  tax_number text NOT NULL,
  registration_number text,
  permit_number text,
  email text,
  phone text,
  tax_registered boolean NOT NULL DEFAULT true,
  tax_rate integer NOT NULL DEFAULT 0 CHECK (tax_rate BETWEEN 0 AND 99999), -- thousandths of a percent
  exempt_reason text,
  withholding_rate integer NOT NULL DEFAULT 0 CHECK (withholding_rate BETWEEN 0 AND 99999), -- thousandths of a percent
  prices_include_tax boolean NOT NULL DEFAULT true,
  payment_days integer NOT NULL DEFAULT 15 CHECK (payment_days BETWEEN 0 AND 365),
  bank_name text,
  bank_account text,
  bank_code text,
  note text,
  invoice_prefix text NOT NULL DEFAULT 'INV-',
  credit_note_prefix text NOT NULL DEFAULT 'CN-',
  receipt_prefix text NOT NULL DEFAULT 'OR-',
  number_digits integer NOT NULL DEFAULT 5 CHECK (number_digits BETWEEN 1 AND 10),
  number_yearly boolean NOT NULL DEFAULT true, -- the year follows the prefix, and each year begins with the first number
  first_number bigint NOT NULL DEFAULT 1 CHECK (first_number BETWEEN 1 AND 9999999999), -- of a series that has no number yet
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_issuer_corporation_id_key UNIQUE NULLS NOT DISTINCT (corporation_id)
);

-- Buyer's profile, as it appears on documents that it receives.
CREATE TABLE invoice_buyer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL CONSTRAINT invoice_buyer_corporation_id_key UNIQUE REFERENCES corporation,
  legal_name text NOT NULL,
  address text NOT NULL,
  city text NOT NULL,
  postal_code text,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  tax_number text,
  registration_number text,
  contact_name text,
  email text,
  reference text, -- of the buyer's order, for its books
  language text CHECK (language ~ '^[a-z]{2,8}$'),
  tax_treatment text NOT NULL DEFAULT 'standard' CHECK (tax_treatment IN ('standard', 'zero', 'exempt')),
  exempt_reason text,
  withholds boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Next number of a series. Its row is locked by the transaction that takes a number, so that numbers have no gaps.
CREATE TABLE invoice_series (
  invoice_issuer_id bigint NOT NULL REFERENCES invoice_issuer ON DELETE CASCADE,
  prefix text NOT NULL, -- with the year, where it belongs to the number
  next_number bigint NOT NULL,
  PRIMARY KEY (invoice_issuer_id, prefix)
);

-- Payments of the ledger, which pay invoices or get a receipt. A trigger writes them with the lines of the credit changes.
CREATE TABLE account_payment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  transfer_id bigint NOT NULL CONSTRAINT account_payment_transfer_id_key UNIQUE, -- in the ledger
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  corporation_id bigint NOT NULL REFERENCES corporation,
  amount bigint NOT NULL,
  note text,
  created_at timestamptz NOT NULL,
  settled_at timestamptz -- it was allocated to open invoices, and its receipt was decided
);
CREATE INDEX account_payment_billing_account_id ON account_payment (billing_account_id, id);
CREATE INDEX account_payment_unsettled ON account_payment (id) WHERE settled_at IS NULL;

CREATE TABLE invoice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_issuer_id bigint NOT NULL REFERENCES invoice_issuer,
  seller_id bigint REFERENCES corporation, -- the issuer's corporation; null for the platform
  corporation_id bigint NOT NULL REFERENCES corporation, -- the buyer
  billing_account_id bigint REFERENCES billing_account,
  kind text NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'receipt')),
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'issued')),
  number text,
  currency text NOT NULL,
  timezone text NOT NULL, -- of the buyer; days are counted in it
  language text NOT NULL,
  issue_date date,
  due_date date,
  payment_days integer NOT NULL DEFAULT 0,
  period_from date,
  period_to date,
  reference text,
  note text,
  reason text, -- of a credit note
  prices_include_tax boolean NOT NULL,
  credited_invoice_id bigint REFERENCES invoice,
  statement_id bigint REFERENCES statement,
  payment_id bigint REFERENCES account_payment, -- of a receipt
  seller jsonb, -- profiles as they were when it was issued
  buyer jsonb,
  taxes jsonb NOT NULL DEFAULT '[]', -- sums by category and rate; amounts are thousandths
  net bigint NOT NULL DEFAULT 0,
  tax bigint NOT NULL DEFAULT 0,
  rounding bigint NOT NULL DEFAULT 0,
  payable bigint NOT NULL DEFAULT 0,
  withholding bigint NOT NULL DEFAULT 0, -- expected to be withheld by the buyer; part of what is payable
  content_sha256 text,
  user_id bigint, -- without a reference, as people are deleted
  created_at timestamptz NOT NULL DEFAULT now(),
  issued_at timestamptz,
  CONSTRAINT invoice_number_key UNIQUE (invoice_issuer_id, number),
  CONSTRAINT invoice_statement_id_key UNIQUE (statement_id),
  CONSTRAINT invoice_payment_id_key UNIQUE (payment_id),
  CHECK (payable = net + tax + rounding),
  CHECK ((kind = 'credit_note') = (credited_invoice_id IS NOT NULL)),
  CHECK ((state = 'issued') = (number IS NOT NULL AND issue_date IS NOT NULL AND issued_at IS NOT NULL
    AND seller IS NOT NULL AND buyer IS NOT NULL AND content_sha256 IS NOT NULL))
);
CREATE INDEX invoice_corporation_id ON invoice (corporation_id, id);
CREATE INDEX invoice_seller_id ON invoice (seller_id, id);
CREATE INDEX invoice_billing_account_id ON invoice (billing_account_id) WHERE kind = 'invoice';
CREATE INDEX invoice_credited_invoice_id ON invoice (credited_invoice_id) WHERE credited_invoice_id IS NOT NULL;

CREATE TABLE invoice_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoice ON DELETE CASCADE,
  position integer NOT NULL CHECK (position > 0),
  description text NOT NULL,
  quantity bigint NOT NULL CHECK (quantity <> 0), -- thousandths; negative for a deduction
  unit_price bigint NOT NULL CHECK (unit_price >= 0), -- thousandths
  tax_category text NOT NULL CHECK (tax_category IN ('standard', 'zero', 'exempt', 'outside')),
  tax_rate integer NOT NULL CHECK (tax_rate BETWEEN 0 AND 99999), -- thousandths of a percent
  amount bigint NOT NULL, -- as priced, with or without tax, rounded to the currency's minor unit
  net bigint NOT NULL, -- without tax
  credited_line_id bigint REFERENCES invoice_line,
  CONSTRAINT invoice_line_position_key UNIQUE (invoice_id, position)
);
CREATE INDEX invoice_line_credited_line_id ON invoice_line (credited_line_id) WHERE credited_line_id IS NOT NULL;

-- Files of an issued document. They are written once.
CREATE TABLE invoice_document (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoice,
  kind text NOT NULL CHECK (kind IN ('pdf', 'xml')),
  content bytea NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_document_kind_key UNIQUE (invoice_id, kind)
);

-- Part of a payment that pays an invoice.
CREATE TABLE invoice_payment (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoice,
  payment_id bigint NOT NULL REFERENCES account_payment,
  amount bigint NOT NULL CHECK (amount > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_payment_pair_key UNIQUE (invoice_id, payment_id)
);
CREATE INDEX invoice_payment_payment_id ON invoice_payment (payment_id);

CREATE FUNCTION keep_account_payment() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  INSERT INTO account_payment (transfer_id, billing_account_id, corporation_id, amount, note, created_at)
  VALUES (NEW.first_transfer_id, NEW.billing_account_id, NEW.corporation_id, NEW.amount, NEW.note, NEW.created_at)
  ON CONFLICT (transfer_id) DO NOTHING;
  RETURN NULL;
END $$;
-- Each payment is a line of its own. Payments of before have no invoices; they count as settled.
CREATE TRIGGER credit_change_payment AFTER INSERT ON credit_change FOR EACH ROW WHEN (NEW.kind = 'payment')
  EXECUTE FUNCTION keep_account_payment();

CREATE FUNCTION invoice_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'invoice' AND TG_OP <> 'TRUNCATE' THEN
    IF OLD.state = 'draft' THEN RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END; END IF;
  END IF;
  RAISE EXCEPTION 'an issued document is final: %', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER invoice_final BEFORE UPDATE OR DELETE ON invoice FOR EACH ROW EXECUTE FUNCTION invoice_is_final();
CREATE TRIGGER invoice_no_truncate BEFORE TRUNCATE ON invoice FOR EACH STATEMENT EXECUTE FUNCTION invoice_is_final();
CREATE TRIGGER invoice_document_final BEFORE UPDATE OR DELETE OR TRUNCATE ON invoice_document
  FOR EACH STATEMENT EXECUTE FUNCTION invoice_is_final();

CREATE FUNCTION invoice_lines_are_final() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of bigint;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN RAISE EXCEPTION 'an issued document is final: invoice_line' USING ERRCODE = 'restrict_violation'; END IF;
  FOREACH of IN ARRAY CASE TG_OP WHEN 'INSERT' THEN ARRAY[NEW.invoice_id] WHEN 'DELETE' THEN ARRAY[OLD.invoice_id]
    ELSE ARRAY[OLD.invoice_id, NEW.invoice_id] END LOOP
    IF (SELECT state FROM invoice WHERE id = of FOR KEY SHARE) = 'issued' THEN
      RAISE EXCEPTION 'an issued document is final: invoice_line' USING ERRCODE = 'restrict_violation';
    END IF;
  END LOOP;
  RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER invoice_line_final BEFORE INSERT OR UPDATE OR DELETE ON invoice_line
  FOR EACH ROW EXECUTE FUNCTION invoice_lines_are_final();
CREATE TRIGGER invoice_line_no_truncate BEFORE TRUNCATE ON invoice_line
  FOR EACH STATEMENT EXECUTE FUNCTION invoice_lines_are_final();

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['account_payment', 'invoice_issuer', 'invoice_buyer', 'invoice_series', 'invoice', 'invoice_line', 'invoice_document',
      'invoice_payment'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['invoice_document', 'invoice_payment'] LOOP
    EXECUTE format('CREATE POLICY seen ON %I FOR SELECT TO heliograph_api USING (invoice_id IN (SELECT id FROM invoice))', t);
    EXECUTE format('CREATE POLICY sold ON %I TO heliograph_api USING (invoice_id IN (SELECT id FROM invoice WHERE
      (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND seller_id = ANY ((SELECT scope_corporations())::bigint[])))', t);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON %I TO heliograph_api', t);
  END LOOP;
END $$;
-- Only people who see a whole corporation see its documents, and drafts are the seller's.
CREATE POLICY caller ON invoice_issuer TO heliograph_api USING (
  (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON invoice_buyer TO heliograph_api USING (
  (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON account_payment FOR SELECT TO heliograph_api USING (
  (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY caller ON invoice_series TO heliograph_api USING (invoice_issuer_id IN (SELECT id FROM invoice_issuer));
CREATE POLICY sold ON invoice TO heliograph_api USING (
  (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND seller_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY received ON invoice FOR SELECT TO heliograph_api USING (
  state = 'issued' AND (SELECT scope_is_corporation()) AND corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY seen ON invoice_line FOR SELECT TO heliograph_api USING (invoice_id IN (SELECT id FROM invoice));
CREATE POLICY sold ON invoice_line TO heliograph_api USING (invoice_id IN (SELECT id FROM invoice WHERE
  (SELECT scope_is_platform()) OR (SELECT scope_is_corporation()) AND seller_id = ANY ((SELECT scope_corporations())::bigint[])));
GRANT INSERT, UPDATE, DELETE ON invoice_issuer, invoice_buyer, invoice, invoice_line TO heliograph_api;
GRANT INSERT, UPDATE ON invoice_series TO heliograph_api;

CREATE VIEW invoice_issuer_row WITH (security_invoker) AS
  SELECT i.*, c.name AS corporation_name,
    coalesce((SELECT jsonb_agg(jsonb_build_object('prefix', s.prefix, 'next_number', s.next_number) ORDER BY s.prefix)
      FROM invoice_series s WHERE s.invoice_issuer_id = i.id), '[]') AS series
  FROM invoice_issuer i LEFT JOIN corporation c ON c.id = i.corporation_id;
CREATE VIEW invoice_buyer_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name FROM invoice_buyer b JOIN corporation c ON c.id = b.corporation_id;
-- The names of the present are for drafts; an issued document has those of its profiles.
CREATE VIEW invoice_row WITH (security_invoker) AS
  SELECT v.*, coalesce(v.seller ->> 'legal_name', i.legal_name) AS seller_name, coalesce(v.buyer ->> 'legal_name', b.legal_name, c.name) AS buyer_name,
    c.name AS corporation_name, a.name AS billing_account_name, o.number AS credited_number, u.name AS user_name,
    coalesce((SELECT sum(p.amount) FROM invoice_payment p WHERE p.invoice_id = v.id), 0)::bigint AS paid,
    coalesce((SELECT sum(n.payable) FROM invoice n WHERE n.credited_invoice_id = v.id AND n.state = 'issued'), 0)::bigint AS credited
  FROM invoice v JOIN corporation c ON c.id = v.corporation_id
  LEFT JOIN invoice_issuer i ON i.id = v.invoice_issuer_id LEFT JOIN invoice_buyer b ON b.corporation_id = v.corporation_id
  LEFT JOIN billing_account a ON a.id = v.billing_account_id LEFT JOIN invoice o ON o.id = v.credited_invoice_id
  LEFT JOIN user_account u ON u.id = v.user_id;
GRANT SELECT ON invoice_issuer_row, invoice_buyer_row, invoice_row TO heliograph_api, heliograph_worker;
