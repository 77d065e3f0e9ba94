-- What a reseller's account paid for its customers' messages stands beside what the customers paid for them, in the same
-- quarter of an hour, so that revenue, cost and margin of a period are sums of the same messages.
ALTER TABLE traffic_quarter ADD COLUMN cost bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION rebuild_traffic(starts timestamptz, ends timestamptz) RETURNS void LANGUAGE sql AS $$
  DELETE FROM traffic_quarter WHERE quarter >= starts AND quarter < ends;
  WITH k AS MATERIALIZED (
    SELECT k.*, s.states, k.id << 10 AS first, (k.id + 1) << 10 AS past
    FROM chunk k LEFT JOIN chunk_state s ON s.chunk_id = k.id WHERE k.created_at >= starts AND k.created_at < ends
  )
  INSERT INTO traffic_quarter (quarter, corporation_id, department_id, user_id, campaign_id, sender_id,
    messages, parts, delivered, failed, failed_internal, failed_billing, failed_submit, blocked, expired, spend, cost)
  SELECT date_bin('15 minutes', k.created_at, 'epoch'), k.corporation_id, coalesce(k.department_id, 0), coalesce(k.user_id, 0),
    coalesce(k.campaign_id, 0), k.sender_id, sum(c.messages), sum(c.parts), sum(c.delivered), sum(c.failed),
    sum(c.failed_internal), sum(c.failed_billing), sum(c.failed_submit), sum(c.blocked), sum(c.expired), sum(c.spend), sum(c.cost)
  FROM k CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE m.packed OR a.first) AS messages,
      coalesce(sum(CASE WHEN m.packed THEN 1 ELSE a.parts END), 0) AS parts,
      count(*) FILTER (WHERE m.state = 'delivered') AS delivered,
      count(*) FILTER (WHERE m.state IN ('failed_submit', 'failed_other', 'failed_internal', 'failed_billing')) AS failed,
      count(*) FILTER (WHERE m.state = 'failed_internal') AS failed_internal,
      count(*) FILTER (WHERE m.state = 'failed_billing') AS failed_billing,
      count(*) FILTER (WHERE m.state = 'failed_submit') AS failed_submit,
      count(*) FILTER (WHERE m.state = 'blocked') AS blocked,
      count(*) FILTER (WHERE m.state = 'expired') AS expired,
      coalesce(sum(charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, m.ended,
        CASE WHEN m.packed THEN 1 ELSE coalesce(a.parts, 0) END) + coalesce(x.amount, 0)), 0) AS spend,
      coalesce(sum(charge_of_message(k.reseller_charge_on_delivery, k.reseller_unit_price,
        m.parts, m.ended, CASE WHEN m.packed THEN 1 ELSE coalesce(a.parts, 0) END)
        + CASE WHEN NOT k.reseller_charge_on_delivery OR x.state IS NULL THEN 0
          WHEN x.state = 'delivered' THEN m.parts ELSE -m.parts END * k.reseller_unit_price)
        FILTER (WHERE k.reseller_account_id IS NOT NULL), 0) AS cost
    FROM (
      SELECT m.id, m.parts, m.unit_price, is_packed(flags_of(k.states, m.id & 1023)) AS packed,
        end_of(flags_of(k.states, m.id & 1023)) AS ended,
        state_of_message(end_of(flags_of(k.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) AS state
      FROM message m WHERE m.id >= k.first AND m.id < k.past
    ) m
    LEFT JOIN (
      SELECT message_id, count(*) AS parts, bool_or(part = 1) AS first FROM submission
      WHERE message_id >= k.first AND message_id < k.past AND command_status = 0 GROUP BY message_id
    ) a ON a.message_id = m.id
    LEFT JOIN correction x ON x.message_id = m.id AND m.ended IS NOT NULL
  ) c
  WHERE c.messages + c.parts + c.delivered + c.failed + c.blocked + c.expired + c.spend + c.cost > 0
  GROUP BY 1, 2, 3, 4, 5, 6
$$;
