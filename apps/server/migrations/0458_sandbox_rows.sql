-- A migration of its own: readers of the views wait for the table while this waits for them.
CREATE OR REPLACE VIEW link_health_row WITH (security_invoker) AS
  SELECT k.id AS link_id, k.name AS link_name, k.enabled,
    CASE WHEN k.draining THEN 'draining' WHEN NOT k.enabled THEN 'disabled'
      WHEN h.seen_at IS NULL OR h.seen_at < clock_timestamp() - interval '4 s' THEN 'unattended' ELSE h.state END AS state,
    CASE WHEN k.draining OR NOT k.enabled THEN NULL
      WHEN h.seen_at < clock_timestamp() - interval '4 s' THEN h.seen_at ELSE h.since END AS since,
    k.for_tests, k.virtual
  FROM link k LEFT JOIN link_health h ON h.link_id = k.id;

-- The virtual carrier is no link that operators set up: their lists do not show it.
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
    l.text_rules, l.protocol, l.http, l.test_rate,
    (SELECT evidence || jsonb_build_object('judged_at', u.judged_at) FROM link_truth u
      WHERE u.link_id = l.id AND l.test_rate > 0) AS truth
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform() AND NOT l.virtual;
