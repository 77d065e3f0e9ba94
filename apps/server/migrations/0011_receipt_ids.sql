-- A final receipt that stands with the outcome keeps the id it came with: that of a second try is not the submission's,
-- and its submission may be recorded later than it.
ALTER TABLE outcome ADD COLUMN carrier_id text;

CREATE OR REPLACE VIEW receipt_row WITH (security_invoker) AS
  SELECT received_at, link_id, carrier_id, message_id, part, state, error, raw FROM receipt
  UNION ALL
  SELECT done_at, link_id, carrier_id, message_id, 1::smallint,
    receipt_state, coalesce(nullif(error_code, receipt_state), ''), receipt
  FROM outcome WHERE receipt IS NOT NULL;
