-- A migration of its own: readers of the views wait for the tables while this waits for them.
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
    l.text_rules
  FROM link l LEFT JOIN link_state s ON s.link_id = l.id
  WHERE scope_is_platform();

CREATE OR REPLACE VIEW sender_id_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, s.sender_id, s.enabled, s.is_promotional, s.add_optout, s.optout_keyword, s.created_at,
    s.throughput, c.name AS corporation_name, s.withheld, s.state, s.purpose, s.expires_on, s.state_reason,
    s.requested_by, u.name AS requested_by_name, s.held_name, s.usable,
    false AS may_decide, -- the program answers it for its caller
    s.templates_only, s.parameters
  FROM sender_id s JOIN corporation c ON c.id = s.corporation_id
  LEFT JOIN user_account u ON u.id = s.requested_by;

CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links,
    c.requires_consent, c.gives_parameters
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;
