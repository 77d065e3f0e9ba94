-- contract: demanded: constraint event.event_type_check CHECK ((type = ANY (ARRAY['message.delivered'::text, 'message.failed'::text, 'message.expired'::text, 'message.corrected'::text, 'message.received'::text, 'campaign.finished'::text, 'balance.low'::text, 'payment.received'::text, 'invoice.issued'::text]))) NOT VALID
-- Payment methods: accounts at payment providers that receive the money of customers. Those without a corporation are the
-- platform's; a reseller's receive the money of its own customers.
CREATE TABLE merchant_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE,
  name text NOT NULL,
  driver text NOT NULL CHECK (driver IN ('stripe', 'paymongo', 'maya', 'bank_transfer')),
  mode text NOT NULL DEFAULT 'live' CHECK (mode IN ('live', 'test', 'simulated')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  enabled boolean NOT NULL DEFAULT true,
  -- Thousandths of the currency; the percentage of the fee in thousandths of a percent.
  minimum bigint NOT NULL CHECK (minimum > 0),
  maximum bigint NOT NULL,
  fee_percent bigint NOT NULL DEFAULT 0 CHECK (fee_percent BETWEEN 0 AND 99999),
  fee_fixed bigint NOT NULL DEFAULT 0 CHECK (fee_fixed >= 0),
  fee_payer text NOT NULL DEFAULT 'seller' CHECK (fee_payer IN ('customer', 'seller')),
  public_key text,
  secret_key_sealed text,
  webhook_secret_sealed text,
  instructions text CHECK (length(instructions) <= 2000),
  four_eyes_above bigint CHECK (four_eyes_above >= 0), -- null: one person approves any amount
  notice_key uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE, -- in the address that the provider calls
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (maximum >= minimum)
);
CREATE UNIQUE INDEX merchant_account_name_key ON merchant_account (corporation_id, name_key(name)) NULLS NOT DISTINCT;

CREATE TABLE top_up (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  merchant_account_id bigint REFERENCES merchant_account, -- null: a voucher
  driver text NOT NULL CHECK (driver IN ('stripe', 'paymongo', 'maya', 'bank_transfer', 'voucher')),
  method_name text NOT NULL, -- customers do not see the accounts of their seller
  simulated boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'awaiting_payment', 'in_review', 'paid', 'partly_refunded',
    'refunded', 'charged_back', 'failed', 'expired', 'rejected')),
  -- Thousandths: what the account gets, the provider's fee, what the customer pays.
  amount bigint NOT NULL CHECK (amount > 0),
  fee bigint NOT NULL DEFAULT 0 CHECK (fee >= 0),
  total bigint NOT NULL CHECK (total >= amount),
  currency text NOT NULL,
  reference text NOT NULL UNIQUE, -- ours, at the provider and on bank statements
  client_reference text CHECK (length(client_reference) <= 100),
  origin text, -- of the console to which the provider's page returns, as the browser said
  checkout_id text,
  checkout_url text,
  payment_id text,
  method_label text,
  problem text, -- why the provider's payment does not count
  automatic boolean NOT NULL DEFAULT false,
  save_method boolean NOT NULL DEFAULT false,
  -- Thousandths that went back to the customer, of `total`, and the part of `amount` that the account lost with them.
  returned bigint NOT NULL DEFAULT 0 CHECK (returned BETWEEN 0 AND total),
  taken_back bigint NOT NULL DEFAULT 0 CHECK (taken_back BETWEEN 0 AND amount),
  entries integer NOT NULL DEFAULT 0, -- ledger entries after the payment
  looks integer NOT NULL DEFAULT 0, -- looks at the provider; only the newest one counts
  user_id bigint,
  paid_at timestamptz,
  expires_at timestamptz,
  checked_at timestamptz,
  proof_path text,
  proof_name text,
  proof_type text,
  proof_size bigint,
  proof_at timestamptz,
  approved_by bigint, -- the first of two people
  decided_by bigint,
  decided_at timestamptz,
  decision_note text CHECK (length(decision_note) <= 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT top_up_client_reference_key UNIQUE (billing_account_id, client_reference)
);
CREATE INDEX top_up_corporation_id ON top_up (corporation_id, id);
CREATE INDEX top_up_merchant_account_id ON top_up (merchant_account_id);
CREATE INDEX top_up_payment_id ON top_up (payment_id);
CREATE INDEX top_up_open ON top_up (checked_at) WHERE state IN ('created', 'awaiting_payment');

-- Refunds that a seller asks for or makes at the provider, and chargebacks of a customer's bank.
CREATE TABLE top_up_return (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  top_up_id bigint NOT NULL REFERENCES top_up,
  kind text NOT NULL CHECK (kind IN ('refund', 'chargeback')),
  state text NOT NULL CHECK (state IN ('asked', 'pending', 'done', 'failed', 'open', 'lost', 'won')),
  amount bigint NOT NULL CHECK (amount > 0), -- thousandths of `total`
  key uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE, -- names a refund of ours at the provider
  provider_id text,
  reason text CHECK (length(reason) <= 200),
  fault text,
  user_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT top_up_return_provider_id_key UNIQUE (top_up_id, provider_id)
);
CREATE INDEX top_up_return_corporation_id ON top_up_return (corporation_id);

-- Notices of providers, stored before they are answered. They only say where to look.
CREATE TABLE payment_notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account ON DELETE CASCADE,
  event_id text NOT NULL CHECK (length(event_id) <= 200),
  type text NOT NULL,
  reference text,
  payment_id text,
  times integer NOT NULL DEFAULT 1,
  received_at timestamptz NOT NULL DEFAULT now(),
  processed_at timestamptz,
  CONSTRAINT payment_notice_event_id_key UNIQUE (merchant_account_id, event_id)
);
CREATE INDEX payment_notice_received_at ON payment_notice (received_at);

-- A top-up pays into the account of a customer of whoever owns the payment method, in its currency.
CREATE FUNCTION top_up_of_seller() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF NEW.merchant_account_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM merchant_account m JOIN corporation c ON c.id = NEW.corporation_id
      JOIN billing_account b ON b.id = NEW.billing_account_id AND b.corporation_id = c.id
    WHERE m.id = NEW.merchant_account_id AND m.corporation_id IS NOT DISTINCT FROM c.reseller_id AND m.currency = c.currency
      AND NEW.currency = c.currency
  ) THEN
    RAISE EXCEPTION 'the payment method is not of this customer''s seller' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER top_up_of_seller BEFORE INSERT ON top_up FOR EACH ROW EXECUTE FUNCTION top_up_of_seller();

-- Payment methods that an account of the caller can use: those of whoever sells to its corporation.
CREATE FUNCTION payment_methods(account bigint) RETURNS TABLE (id bigint, name text, driver text, mode text, currency text,
  minimum bigint, maximum bigint, fee_percent bigint, fee_fixed bigint, fee_payer text, instructions text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT m.id, m.name, m.driver, m.mode, m.currency, m.minimum, m.maximum, m.fee_percent, m.fee_fixed, m.fee_payer, m.instructions
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
  JOIN merchant_account m ON m.corporation_id IS NOT DISTINCT FROM c.reseller_id AND m.currency = c.currency
  WHERE b.id = account AND b.enabled AND m.enabled AND (scope_is_platform() OR c.id = ANY (scope_corporations()))
  ORDER BY m.driver = 'bank_transfer', m.id
$$;

-- Instructions of the payment method of a top-up that the caller sees.
CREATE FUNCTION top_up_instructions(wanted bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT m.instructions FROM top_up t JOIN merchant_account m ON m.id = t.merchant_account_id
  WHERE t.id = wanted AND (scope_is_platform() OR t.corporation_id = ANY (scope_corporations()))
$$;

-- The payment method whose address a notice came to, without a session.
CREATE FUNCTION merchant_of_notice(key uuid) RETURNS TABLE (id bigint, driver text, mode text, webhook_secret_sealed text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT id, driver, mode, webhook_secret_sealed FROM merchant_account WHERE notice_key = key AND driver <> 'bank_transfer'
$$;

-- Stores a notice and answers its id; null if it is known.
CREATE FUNCTION keep_payment_notice(merchant bigint, event text, kind text, our_reference text, payment text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  made bigint;
BEGIN
  INSERT INTO payment_notice (merchant_account_id, event_id, type, reference, payment_id)
  VALUES (merchant, event, kind, our_reference, payment) ON CONFLICT (merchant_account_id, event_id) DO NOTHING RETURNING id INTO made;
  IF made IS NULL THEN
    UPDATE payment_notice SET times = times + 1 WHERE merchant_account_id = merchant AND event_id = event;
  END IF;
  RETURN made;
END $$;

CREATE VIEW merchant_account_row WITH (security_invoker) AS
  SELECT m.id, m.corporation_id, c.name AS corporation_name, m.name, m.driver, m.mode, m.currency, m.enabled, m.minimum, m.maximum,
    m.fee_percent, m.fee_fixed, m.fee_payer, m.public_key, m.instructions, m.four_eyes_above, m.created_at,
    m.secret_key_sealed IS NOT NULL AS has_secret_key, m.webhook_secret_sealed IS NOT NULL AS has_webhook_secret
  FROM merchant_account m LEFT JOIN corporation c ON c.id = m.corporation_id;
CREATE VIEW top_up_row WITH (security_invoker) AS
  SELECT t.id, t.created_at, t.corporation_id, c.name AS corporation_name, t.billing_account_id, b.name AS billing_account_name,
    t.driver, t.method_name, t.simulated, t.state, t.amount, t.fee, t.total, t.currency, t.reference, t.client_reference,
    t.checkout_url, t.method_label, t.problem, t.automatic, t.returned, t.taken_back, t.user_id, u.name AS user_name, t.paid_at,
    t.expires_at, t.proof_name, t.proof_at, t.approved_by, a.name AS approved_by_name, d.name AS decided_by_name, t.decided_at,
    t.decision_note
  FROM top_up t JOIN corporation c ON c.id = t.corporation_id JOIN billing_account b ON b.id = t.billing_account_id
  LEFT JOIN user_account u ON u.id = t.user_id LEFT JOIN user_account a ON a.id = t.approved_by
  LEFT JOIN user_account d ON d.id = t.decided_by;

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
BEGIN
  FOREACH t IN ARRAY ARRAY['merchant_account', 'top_up', 'top_up_return', 'payment_notice'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
  END LOOP;
  FOREACH t IN ARRAY ARRAY['merchant_account', 'top_up', 'top_up_return'] LOOP
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, by_corporation);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON merchant_account TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON top_up, top_up_return TO heliograph_api, heliograph_worker;
GRANT SELECT, UPDATE ON merchant_account TO heliograph_worker;
GRANT SELECT, UPDATE, DELETE ON payment_notice TO heliograph_worker;
GRANT SELECT ON merchant_account_row TO heliograph_api;
GRANT SELECT ON top_up_row TO heliograph_api, heliograph_worker;
REVOKE EXECUTE ON FUNCTION payment_methods(bigint), top_up_instructions(bigint), merchant_of_notice(uuid), top_up_of_seller(),
  keep_payment_notice(bigint, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION payment_methods(bigint), top_up_instructions(bigint), merchant_of_notice(uuid),
  keep_payment_notice(bigint, text, text, text, text) TO heliograph_api;

-- The keys of payment providers are sealed too, so they say whether a process has the right key.
CREATE OR REPLACE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT 'link.password_sealed:' || id, password_sealed FROM link WHERE password_sealed <> '' ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'routing.password_sealed.' || id, password_sealed FROM routing WHERE password_sealed IS NOT NULL ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'reseller.email_password_sealed:' || id, email_password_sealed FROM reseller WHERE email_password_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'callback_secret.sealed.' || callback_endpoint_id, sealed FROM callback_secret ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'user_totp.secret_sealed:' || user_id, secret_sealed FROM user_totp ORDER BY user_id DESC LIMIT 100)
  UNION ALL
  (SELECT 'number_source.authorization.' || id, authorization_sealed FROM number_source WHERE authorization_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'merchant_account.secret_key.' || id, secret_key_sealed FROM merchant_account WHERE secret_key_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'merchant_account.webhook_secret.' || id, webhook_secret_sealed FROM merchant_account WHERE webhook_secret_sealed IS NOT NULL
    ORDER BY id DESC LIMIT 100)
  UNION ALL
  (SELECT 'push_key.private_key_sealed', private_key_sealed FROM push_key);
END;

-- Programs are told of payments that arrived.
ALTER TABLE event DROP CONSTRAINT event_type_check;
ALTER TABLE event ADD CONSTRAINT event_type_check CHECK (type IN ('message.delivered', 'message.failed', 'message.expired', 'message.corrected', 'message.received',
  'campaign.finished', 'balance.low', 'payment.received', 'invoice.issued')) NOT VALID;
