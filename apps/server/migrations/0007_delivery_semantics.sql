-- What goes beyond one try, one answer and one final state; and what comes from phones.

-- Whether the carrier takes our own reference with every message, and repeats it in receipts (SMPP 3.4 §5.3.2.17).
ALTER TABLE link ADD COLUMN message_reference boolean NOT NULL DEFAULT true;
CREATE OR REPLACE VIEW link_row WITH (security_barrier) AS
  SELECT l.id, l.name, l.host, l.port, l.tls, l.tls_ca, l.tls_verify_name, l.system_id, l.system_type, l.credentials_set_at,
    l.bind_mode, l.binds, l.window_size, l.rate, l.id_rule, l.learned_id_rule, l.learned_receipts, l.learned_at,
    l.default_charset, l.long_messages, l.validity_format, l.flash_dialect, l.alphanumeric_ton_npi, l.short_code_ton_npi,
    l.number_ton_npi, l.destination_ton_npi, l.registered_delivery, l.sniff_receipts, l.receipt_words,
    l.enquire_link_seconds, l.response_seconds, l.bind_seconds, l.enabled, l.created_at,
    CASE WHEN l.draining THEN 'draining' WHEN NOT l.enabled THEN 'disabled'
      WHEN s.holder IS NULL OR NOT link_word_is_fresh(s.updated_at) THEN 'down' ELSE s.state END AS state,
    s.since AS state_since,
    CASE WHEN link_word_is_fresh(s.updated_at) THEN s.holder END AS holder,
    s.live, l.message_reference
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform();

-- A one-time code whose answer was lost is sent once more. This row is the only leave to do so, and it is committed
-- before the bytes go out; so whatever dies when, nothing is sent a third time.
CREATE TABLE resend (
  message_id bigint NOT NULL,
  part smallint NOT NULL,
  corporation_id bigint NOT NULL,
  link_id bigint NOT NULL,
  resent_at timestamptz NOT NULL DEFAULT now(),
  -- What the carrier answered to the first try after all, and what to the second; null: nothing so far.
  first_status integer,
  first_carrier_id text,
  second_status integer,
  second_carrier_id text,
  PRIMARY KEY (message_id, part)
);
CREATE INDEX resend_first_carrier_id ON resend (first_carrier_id) WHERE first_carrier_id IS NOT NULL;
CREATE INDEX resend_second_carrier_id ON resend (second_carrier_id) WHERE second_carrier_id IS NOT NULL;

-- A receipt that contradicts the final state: the state stays, and this stands beside it. At most one a message, so that
-- a carrier which changes its mind again and again moves money once.
CREATE TABLE correction (
  message_id bigint PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  state message_state NOT NULL, -- what was reported later
  error_code text,
  amount bigint NOT NULL, -- thousandths: more than 0 was charged, less was given back; 0 where nothing had to move
  corrected_at timestamptz NOT NULL
);

-- Parts of messages from phones, each committed before its deliver_sm is answered. They stay for a while after their
-- message was handed on, so that a part which the carrier sends again is known.
CREATE TABLE inbound_part (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL,
  sender text NOT NULL,
  recipient text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('udh_8', 'udh_16', 'sar')),
  reference integer NOT NULL,
  total smallint NOT NULL,
  part smallint NOT NULL,
  data_coding smallint NOT NULL,
  udh_octets smallint NOT NULL,
  body bytea NOT NULL, -- without its user data header
  received_at timestamptz NOT NULL,
  handed_on_at timestamptz
);
CREATE INDEX inbound_part_message ON inbound_part (link_id, sender, recipient, reference, total);
CREATE INDEX inbound_part_waiting ON inbound_part (received_at) WHERE handed_on_at IS NULL;
CREATE INDEX inbound_part_handed_on ON inbound_part (handed_on_at) WHERE handed_on_at IS NOT NULL;

-- Messages from phones, whole where all parts came in time. Whose they are is not decided here: that is routing's.
CREATE TABLE inbound_message (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL,
  sender text NOT NULL,    -- the phone
  recipient text NOT NULL, -- the short code or long number
  text text NOT NULL,
  parts smallint NOT NULL, -- that came
  total smallint NOT NULL, -- that there are
  received_at timestamptz NOT NULL -- of the first part
);

DO $$
DECLARE
  t text;
  rule text;
BEGIN
  FOR t, rule IN VALUES
    ('resend', '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))'),
    ('correction', '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))'),
    ('inbound_part', '(SELECT scope_is_platform())'),
    ('inbound_message', '(SELECT scope_is_platform())')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

GRANT SELECT ON resend, correction, inbound_message TO heliograph_api;
GRANT SELECT ON resend, correction, inbound_message TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE ON resend TO heliograph_sender;
GRANT SELECT, INSERT ON correction, inbound_message TO heliograph_sender;
GRANT SELECT, INSERT, UPDATE, DELETE ON inbound_part TO heliograph_sender;

-- What a message was charged counts its correction.
CREATE OR REPLACE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name, coalesce(m.text, k.common_text) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    state_of_message(o.state, m.id & 1023, k.cursor, k.state) AS state, o.error_code, o.done_at,
    charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, o.state, (
      SELECT count(*) FROM submission s WHERE s.message_id = m.id AND s.command_status = 0))
      + coalesce((SELECT amount FROM correction x WHERE x.message_id = m.id), 0) AS charge
  FROM message m
  JOIN chunk k ON k.id = m.id >> 10
  LEFT JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN outcome o ON o.message_id = m.id;
