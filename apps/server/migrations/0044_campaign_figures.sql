-- Messages that a carrier refused for now wait for another try, though their chunk's cursor has passed them. They have not
-- left, so they count as waiting, not as processed. A message counts with its first part, as everywhere.
CREATE VIEW campaign_figure WITH (security_invoker) AS
  SELECT n.campaign_id, n.corporation_id, greatest(n.processed - coalesce(w.waiting, 0), 0) AS processed,
    coalesce(w.waiting, 0) AS waiting, n.submitted, n.delivered, n.failed, n.expired, n.cancelled, n.charged, n.released
  FROM campaign_counter n LEFT JOIN (
    SELECT k.campaign_id, sum(r.messages)::bigint AS waiting
    FROM (SELECT message_id >> 10 AS chunk_id, count(*) AS messages FROM retry WHERE part = 1 GROUP BY 1) r
    JOIN chunk k ON k.id = r.chunk_id GROUP BY 1
  ) w ON w.campaign_id = n.campaign_id;
GRANT SELECT ON campaign_figure TO heliograph_api, heliograph_worker, heliograph_sender;

CREATE OR REPLACE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name, coalesce(m.text, k.common_text) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    CASE WHEN end_of(flags_of(s.states, m.id & 1023)) IS NULL
        AND EXISTS (SELECT FROM retry r WHERE r.message_id = m.id AND r.part = 1) THEN 'pending'
      ELSE state_of_message(end_of(flags_of(s.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) END AS state,
    o.error_code,
    coalesce(o.done_at, (SELECT d.received_at FROM delivered_row d WHERE d.chunk_id = k.id AND d.message_id = m.id)) AS done_at,
    charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, end_of(flags_of(s.states, m.id & 1023)),
      CASE WHEN is_packed(flags_of(s.states, m.id & 1023)) THEN 1
        ELSE (SELECT count(*) FROM submission a WHERE a.message_id = m.id AND a.command_status = 0) END)
      + coalesce((SELECT amount FROM correction x WHERE x.message_id = m.id), 0) AS charge
  FROM message m
  JOIN chunk k ON k.id = m.id >> 10
  LEFT JOIN chunk_state s ON s.chunk_id = k.id
  LEFT JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN outcome o ON o.message_id = m.id;
