-- Invoices at the end of a month, and receipts for payments. Nothing is written before a seller chooses so.
ALTER TABLE invoice_issuer
  ADD COLUMN issue_automatically boolean NOT NULL DEFAULT false, -- month-end invoices; as drafts otherwise
  ADD COLUMN receipts boolean NOT NULL DEFAULT false; -- for payments of prepaid accounts
ALTER TABLE invoice_buyer
  ADD COLUMN invoices_from date, -- first month that is invoiced by itself; null for none
  ADD COLUMN invoice_lines text NOT NULL DEFAULT 'network' CHECK (invoice_lines IN ('network', 'campaign'));

-- Invoices of a month, with the months before that gave nothing to pay. What an account owes for these months becomes what
-- the invoice states: the difference is posted when it is issued.
ALTER TABLE invoice
  ADD COLUMN billed bigint, -- what the ledger has for these months, in thousandths
  ADD COLUMN billed_from date, -- first month
  ADD CONSTRAINT invoice_billed_whole CHECK ((billed IS NULL) = (billed_from IS NULL)) NOT VALID;
ALTER TABLE invoice VALIDATE CONSTRAINT invoice_billed_whole;

-- The views show the new columns.
CREATE OR REPLACE VIEW invoice_issuer_row WITH (security_invoker) AS
  SELECT i.id, i.corporation_id, i.preset, i.legal_name, i.address, i.city, i.postal_code, i.country, i.tax_number, i.registration_number,
    i.permit_number, i.email, i.phone, i.tax_registered, i.tax_rate, i.exempt_reason, i.withholding_rate, i.prices_include_tax,
    i.payment_days, i.bank_name, i.bank_account, i.bank_code, i.note, i.invoice_prefix, i.credit_note_prefix, i.receipt_prefix,
    i.number_digits, i.number_yearly, i.first_number, i.created_at, c.name AS corporation_name,
    coalesce((SELECT jsonb_agg(jsonb_build_object('prefix', s.prefix, 'next_number', s.next_number) ORDER BY s.prefix)
      FROM invoice_series s WHERE s.invoice_issuer_id = i.id), '[]') AS series, i.issue_automatically, i.receipts
  FROM invoice_issuer i LEFT JOIN corporation c ON c.id = i.corporation_id;
CREATE OR REPLACE VIEW invoice_buyer_row WITH (security_invoker) AS
  SELECT b.id, b.corporation_id, b.legal_name, b.address, b.city, b.postal_code, b.country, b.tax_number, b.registration_number,
    b.contact_name, b.email, b.reference, b.language, b.tax_treatment, b.exempt_reason, b.withholds, b.created_at,
    c.name AS corporation_name, b.invoices_from, b.invoice_lines
  FROM invoice_buyer b JOIN corporation c ON c.id = b.corporation_id;
