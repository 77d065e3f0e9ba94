-- Documents that are mailed to their buyers, and reminders of due dates. Nothing is mailed before a seller chooses so.
ALTER TABLE invoice_issuer
  ADD COLUMN mail_documents boolean NOT NULL DEFAULT false, -- with the PDF, when it is written
  ADD COLUMN remind_before integer CHECK (remind_before BETWEEN 0 AND 60), -- days before the due date; null for none
  ADD COLUMN remind_after integer CHECK (remind_after BETWEEN 1 AND 60); -- days after it

-- Mails of a document. The row is written in the transaction that asks for the mail, so each is asked for once.
CREATE TABLE invoice_mail (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  invoice_id bigint NOT NULL REFERENCES invoice,
  kind text NOT NULL CHECK (kind IN ('issued', 'due_soon', 'overdue')),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoice_mail_kind_key UNIQUE (invoice_id, kind)
);
ALTER TABLE invoice_mail ENABLE ROW LEVEL SECURITY;
ALTER TABLE invoice_mail FORCE ROW LEVEL SECURITY;
CREATE POLICY seen ON invoice_mail FOR SELECT TO heliograph_api USING (invoice_id IN (SELECT id FROM invoice));
CREATE POLICY inside ON invoice_mail TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON invoice_mail TO heliograph_api;
GRANT SELECT, INSERT ON invoice_mail TO heliograph_worker;
CREATE INDEX invoice_due_date ON invoice (due_date) WHERE kind = 'invoice' AND state = 'issued';

CREATE OR REPLACE VIEW invoice_issuer_row WITH (security_invoker) AS
  SELECT i.id, i.corporation_id, i.preset, i.legal_name, i.address, i.city, i.postal_code, i.country, i.tax_number, i.registration_number,
    i.permit_number, i.email, i.phone, i.tax_registered, i.tax_rate, i.exempt_reason, i.withholding_rate, i.prices_include_tax,
    i.payment_days, i.bank_name, i.bank_account, i.bank_code, i.note, i.invoice_prefix, i.credit_note_prefix, i.receipt_prefix,
    i.number_digits, i.number_yearly, i.first_number, i.created_at, c.name AS corporation_name,
    coalesce((SELECT jsonb_agg(jsonb_build_object('prefix', s.prefix, 'next_number', s.next_number) ORDER BY s.prefix)
      FROM invoice_series s WHERE s.invoice_issuer_id = i.id), '[]') AS series, i.issue_automatically, i.receipts,
    i.mail_documents, i.remind_before, i.remind_after
  FROM invoice_issuer i LEFT JOIN corporation c ON c.id = i.corporation_id;
