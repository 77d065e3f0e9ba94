-- contract: demanded: constraint link.link_callback_key_key UNIQUE (callback_key)
-- contract: demanded: constraint link.link_http CHECK (((protocol = 'smpp'::text) OR (http IS NOT NULL)))
-- contract: demanded: constraint link.link_protocol_check CHECK ((protocol = ANY (ARRAY['smpp'::text, 'http'::text])))
-- contract: demanded: unique index link.link_callback_key_key
-- Links over HTTP: the mapping of requests, answers, receipts and replies, and the key in the address of callbacks.
ALTER TABLE link
  ADD COLUMN protocol text NOT NULL DEFAULT 'smpp' CHECK (protocol IN ('smpp', 'http')),
  ADD COLUMN http jsonb, -- null for SMPP
  ADD COLUMN callback_key uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT link_callback_key_key UNIQUE,
  ADD CONSTRAINT link_http CHECK (protocol = 'smpp' OR http IS NOT NULL);

-- Receipts and replies that a carrier brought by HTTP, as deliver_sm, until the holder of the link has recorded them.
CREATE TABLE carrier_callback (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  pdu bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX carrier_callback_link_id ON carrier_callback (link_id, id);

-- Replies that came with an id: a carrier repeats a callback whose answer was lost.
CREATE TABLE carrier_reply_seen (
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  digest bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (link_id, digest)
);
CREATE INDEX carrier_reply_seen_received_at ON carrier_reply_seen (received_at);

-- The page after which a carrier is asked next; it moves with the rows of the page before.
CREATE TABLE carrier_poll (
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('receipts', 'replies')),
  cursor text NOT NULL,
  PRIMARY KEY (link_id, kind)
);

DO $$ DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['carrier_callback', 'carrier_reply_seen', 'carrier_poll'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_sender USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, DELETE ON carrier_callback, carrier_reply_seen TO heliograph_sender;
GRANT SELECT, INSERT, UPDATE ON carrier_poll TO heliograph_sender;

-- Stores what one call or page brought; the replies of known digests are left out. Answers the number of stored rows.
CREATE FUNCTION keep_carrier_callbacks(wanted bigint, pdus bytea[], digests bytea[]) RETURNS integer
  LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  WITH brought AS (
    SELECT DISTINCT ON (coalesce(digest, decode(lpad(to_hex(place), 8, '0'), 'hex'))) pdu, digest, place
    FROM unnest(pdus, digests) WITH ORDINALITY AS u(pdu, digest, place)
    ORDER BY coalesce(digest, decode(lpad(to_hex(place), 8, '0'), 'hex')), place
  ), fresh AS (
    INSERT INTO carrier_reply_seen (link_id, digest) SELECT wanted, digest FROM brought WHERE digest IS NOT NULL
    ON CONFLICT DO NOTHING RETURNING digest
  ), kept AS (
    INSERT INTO carrier_callback (link_id, pdu)
    SELECT wanted, pdu FROM brought WHERE digest IS NULL OR digest IN (SELECT digest FROM fresh) ORDER BY place
    RETURNING id
  )
  SELECT count(*)::integer FROM kept
$$;

-- For callbacks, which come without a login: what the key in their address opens.
CREATE FUNCTION link_of_callback(key uuid) RETURNS TABLE (id bigint, http jsonb, receipt_words text[], enabled boolean,
    password_sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT id, http, receipt_words, enabled OR draining, password_sealed FROM link
  WHERE callback_key = key AND protocol = 'http'
$$;

-- The key of a link's callbacks, for the administration; a new one if asked.
CREATE FUNCTION link_callback_key(wanted bigint, renew boolean) RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public AS $$
BEGIN
  IF NOT scope_is_platform() THEN RETURN NULL; END IF;
  IF renew THEN UPDATE link SET callback_key = gen_random_uuid() WHERE id = wanted; END IF;
  RETURN (SELECT callback_key FROM link WHERE id = wanted);
END $$;
REVOKE EXECUTE ON FUNCTION keep_carrier_callbacks(bigint, bytea[], bytea[]), link_of_callback(uuid),
  link_callback_key(bigint, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION keep_carrier_callbacks(bigint, bytea[], bytea[]) TO heliograph_api, heliograph_sender;
GRANT EXECUTE ON FUNCTION link_of_callback(uuid), link_callback_key(bigint, boolean) TO heliograph_api;

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
    s.live, l.message_reference, l.for_tests, l.asks_registration, l.parameters, l.number_rules, l.sender_rules,
    l.text_rules, l.protocol, l.http
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform();
