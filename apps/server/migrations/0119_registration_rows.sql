-- A migration of its own: readers of the views wait for the tables while this waits for them.
CREATE VIEW sender_registration_row WITH (security_invoker) AS
  SELECT r.id, r.sender_id_id, s.sender_id AS sender_id_name, s.corporation_id, c.name AS corporation_name, r.link_id,
    k.name AS link_name, r.state, r.reference, r.registered_on, r.expires_on, r.reason, r.changed_at,
    u.name AS changed_by_name, r.created_at
  FROM sender_registration r JOIN sender_id s ON s.id = r.sender_id_id JOIN corporation c ON c.id = s.corporation_id
  JOIN link k ON k.id = r.link_id LEFT JOIN user_account u ON u.id = r.changed_by;
GRANT SELECT ON sender_registration_row TO heliograph_api;

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
    s.live, l.message_reference, l.for_tests, l.asks_registration
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform();
