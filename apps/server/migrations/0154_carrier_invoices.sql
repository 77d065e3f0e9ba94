-- Carriers' invoices and lists of messages, compared with the traffic that is recorded here.
CREATE TABLE carrier_invoice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  file_name text NOT NULL,
  file_sha256 text NOT NULL,
  by_message boolean NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL CHECK (to_day >= from_day),
  timezone text NOT NULL,
  currency text NOT NULL,
  carrier_parts bigint NOT NULL,
  carrier_amount bigint NOT NULL, -- amounts are millionths of the currency
  own_parts bigint NOT NULL,
  own_amount bigint NOT NULL,
  own_unknown bigint NOT NULL, -- own parts without a known cost
  sum_differences jsonb NOT NULL,
  message_differences jsonb NOT NULL,
  user_id bigint, -- without a reference, as people are deleted
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT carrier_invoice_file_key UNIQUE (link_id, file_sha256)
);

-- A day and network, or a message that differs.
CREATE TABLE carrier_invoice_line (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  carrier_invoice_id bigint NOT NULL REFERENCES carrier_invoice ON DELETE CASCADE,
  of_message boolean NOT NULL,
  kind text CHECK (kind IN ('missing_here', 'missing_there', 'count', 'state', 'cost_unknown', 'price')), -- null: no difference
  day date,
  network text NOT NULL,
  carrier_id text,
  message_id bigint, -- without a reference, as messages are removed
  carrier_parts bigint NOT NULL,
  carrier_amount bigint,
  carrier_state text CHECK (carrier_state IN ('delivered', 'undelivered')),
  own_parts bigint NOT NULL,
  own_amount bigint,
  own_state text CHECK (own_state IN ('delivered', 'undelivered'))
);
CREATE INDEX carrier_invoice_line_page ON carrier_invoice_line (carrier_invoice_id, of_message, id);

-- Names of the columns that the carrier of a link sends, as a person assigned them last.
CREATE TABLE carrier_invoice_layout (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  columns jsonb NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_invoice', 'carrier_invoice_line', 'carrier_invoice_layout'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api', t);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO heliograph_worker', t);
  END LOOP;
END $$;
GRANT DELETE ON carrier_invoice TO heliograph_api;
GRANT USAGE ON SEQUENCE carrier_invoice_id_seq, carrier_invoice_line_id_seq TO heliograph_worker;
