-- Links as a managed record: every setting a carrier's SMSC may ask for, and what its sender tells of it.
ALTER TABLE link
  ADD COLUMN tls_ca text, -- PEM; null takes the system's authorities
  ADD COLUMN tls_verify_name boolean NOT NULL DEFAULT true,
  ADD COLUMN credentials_set_at timestamptz, -- when the password was last entered; the password itself is never shown
  -- enabled, neither, or draining: what is in the window is finished, then the sender clears the mark
  ADD COLUMN draining boolean NOT NULL DEFAULT false,
  -- The rule that receipts have shown to be right, while id_rule is 'learn'
  ADD COLUMN learned_id_rule text CHECK (learned_id_rule IN ('as_is', 'hex_to_decimal', 'decimal_to_hex')),
  ADD COLUMN learned_receipts integer,
  ADD COLUMN learned_at timestamptz,
  ADD COLUMN long_messages text NOT NULL DEFAULT 'udh_8' CHECK (long_messages IN ('udh_8', 'udh_16', 'sar', 'payload')),
  ADD COLUMN validity_format text NOT NULL DEFAULT 'relative' CHECK (validity_format IN ('relative', 'absolute', 'none')),
  ADD COLUMN flash_dialect text NOT NULL DEFAULT 'class_0x10' CHECK (flash_dialect IN ('class_0x10', 'class_0xf0', 'subunit')),
  -- Type of number / numbering plan (SMPP 3.4 §5.2.5, §5.2.6)
  ADD COLUMN alphanumeric_ton_npi text NOT NULL DEFAULT '5/0',
  ADD COLUMN short_code_ton_npi text NOT NULL DEFAULT '0/1',
  ADD COLUMN number_ton_npi text NOT NULL DEFAULT '1/1',
  ADD COLUMN destination_ton_npi text NOT NULL DEFAULT '1/1',
  ADD COLUMN registered_delivery text NOT NULL DEFAULT 'final'
    CHECK (registered_delivery IN ('none', 'final', 'failure', 'final_and_intermediate')),
  ADD COLUMN sniff_receipts boolean NOT NULL DEFAULT true,
  ADD COLUMN receipt_words text[] NOT NULL DEFAULT '{}', -- WORD=state, or err:CODE=state
  ADD COLUMN enquire_link_seconds integer NOT NULL DEFAULT 30 CHECK (enquire_link_seconds BETWEEN 1 AND 3600),
  ADD COLUMN response_seconds integer NOT NULL DEFAULT 30 CHECK (response_seconds BETWEEN 1 AND 600),
  ADD COLUMN bind_seconds integer NOT NULL DEFAULT 10 CHECK (bind_seconds BETWEEN 1 AND 120),
  ADD CONSTRAINT link_not_both CHECK (NOT (enabled AND draining)),
  ADD CONSTRAINT link_ton_npi CHECK (
    alphanumeric_ton_npi ~ '^\d{1,3}/\d{1,3}$' AND short_code_ton_npi ~ '^\d{1,3}/\d{1,3}$'
    AND number_ton_npi ~ '^\d{1,3}/\d{1,3}$' AND destination_ton_npi ~ '^\d{1,3}/\d{1,3}$'),
  DROP CONSTRAINT link_bind_mode_check,
  DROP CONSTRAINT link_id_rule_check,
  DROP CONSTRAINT link_default_charset_check,
  ADD CONSTRAINT link_bind_mode_check CHECK (bind_mode IN ('transceiver', 'transmitter_receiver', 'transmitter')),
  ADD CONSTRAINT link_id_rule_check CHECK (id_rule IN ('as_is', 'hex_to_decimal', 'decimal_to_hex', 'learn')),
  ADD CONSTRAINT link_default_charset_check CHECK (default_charset IN ('gsm', 'gsm_packed', 'latin1', 'ascii'));

-- What the process that holds a link's lanes last told of it, at most every two seconds.
CREATE TABLE link_state (
  link_id bigint PRIMARY KEY REFERENCES link ON DELETE CASCADE,
  holder text, -- null once it gave the lanes back
  state text NOT NULL CHECK (state IN ('up', 'binding', 'down', 'throttled', 'draining')),
  since timestamptz NOT NULL DEFAULT now(), -- of the state
  updated_at timestamptz NOT NULL DEFAULT now(),
  carried boolean NOT NULL DEFAULT false, -- the carrier took something on it, ever
  live jsonb NOT NULL
) WITH (fillfactor = 50);

-- Everybody's campaigns choose a link by id and name; the settings are the administration's alone, by the view below.
ALTER TABLE link ENABLE ROW LEVEL SECURITY;
ALTER TABLE link FORCE ROW LEVEL SECURITY;
CREATE POLICY named ON link FOR SELECT TO heliograph_api USING (true);
CREATE POLICY added ON link FOR INSERT TO heliograph_api WITH CHECK ((SELECT scope_is_platform()));
CREATE POLICY changed ON link FOR UPDATE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY removed ON link FOR DELETE TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON link TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true);
ALTER TABLE link_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE link_state FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON link_state TO CURRENT_USER, heliograph_sender USING (true);

-- How long the word of a holder counts.
CREATE FUNCTION link_word_is_fresh(updated_at timestamptz) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(updated_at > now() - interval '15 seconds', false);

-- Read as the owner, so that the API needs no right to the columns of the table, the sealed password last of all.
CREATE VIEW link_row WITH (security_barrier) AS
  SELECT l.id, l.name, l.host, l.port, l.tls, l.tls_ca, l.tls_verify_name, l.system_id, l.system_type, l.credentials_set_at,
    l.bind_mode, l.binds, l.window_size, l.rate, l.id_rule, l.learned_id_rule, l.learned_receipts, l.learned_at,
    l.default_charset, l.long_messages, l.validity_format, l.flash_dialect, l.alphanumeric_ton_npi, l.short_code_ton_npi,
    l.number_ton_npi, l.destination_ton_npi, l.registered_delivery, l.sniff_receipts, l.receipt_words,
    l.enquire_link_seconds, l.response_seconds, l.bind_seconds, l.enabled, l.created_at,
    CASE WHEN l.draining THEN 'draining' WHEN NOT l.enabled THEN 'disabled'
      WHEN s.holder IS NULL OR NOT link_word_is_fresh(s.updated_at) THEN 'down' ELSE s.state END AS state,
    s.since AS state_since,
    CASE WHEN link_word_is_fresh(s.updated_at) THEN s.holder END AS holder,
    s.live
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform();

-- For the administration's test of a saved link.
CREATE FUNCTION link_password_sealed(wanted bigint) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN (SELECT password_sealed FROM link WHERE id = wanted AND scope_is_platform());
-- Traffic keeps a link, also such as was queued on another one.
CREATE FUNCTION link_has_carried(wanted bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN coalesce((SELECT carried FROM link_state WHERE link_id = wanted AND scope_is_platform()), false);
REVOKE EXECUTE ON FUNCTION link_password_sealed(bigint), link_has_carried(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION link_password_sealed(bigint), link_has_carried(bigint) TO heliograph_api;

GRANT SELECT ON link_row TO heliograph_api;
GRANT INSERT, DELETE ON link TO heliograph_api;
GRANT UPDATE ON link TO heliograph_api;
GRANT SELECT (draining) ON link TO heliograph_api;
GRANT UPDATE (draining, learned_id_rule, learned_receipts, learned_at) ON link TO heliograph_sender;
GRANT SELECT, INSERT, UPDATE ON link_state TO heliograph_sender;
