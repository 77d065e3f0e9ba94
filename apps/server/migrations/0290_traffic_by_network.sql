-- Statistics by network and sender ID, counted by a worker from the records of the messages as those by destination are. The
-- network of a message is that of a lookup, else that of its prefix when it was queued.
CREATE TABLE traffic_network (
  quarter timestamptz NOT NULL,
  corporation_id bigint NOT NULL,
  department_id bigint NOT NULL, -- 0: none
  user_id bigint NOT NULL, -- 0: none
  sender_id text NOT NULL,
  network_id bigint NOT NULL, -- 0: not known
  messages bigint NOT NULL,
  parts bigint NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  blocked bigint NOT NULL,
  expired bigint NOT NULL,
  spend bigint NOT NULL, -- thousandths
  cost bigint NOT NULL, -- thousandths that the reseller's account paid
  PRIMARY KEY (quarter, corporation_id, department_id, user_id, sender_id, network_id)
);
CREATE INDEX traffic_network_corporation_id ON traffic_network (corporation_id, quarter);
-- Quarters of an hour that are counted by network, as in counted_quarter.
CREATE TABLE counted_network_quarter (LIKE counted_quarter INCLUDING ALL);
DO $$
DECLARE
  rule text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
    AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
    AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user()))';
BEGIN
  ALTER TABLE traffic_network ENABLE ROW LEVEL SECURITY;
  ALTER TABLE traffic_network FORCE ROW LEVEL SECURITY;
  EXECUTE format('CREATE POLICY caller ON traffic_network TO heliograph_api USING (%s)', rule);
  CREATE POLICY inside ON traffic_network TO CURRENT_USER, heliograph_worker USING (true);
END $$;
GRANT SELECT ON traffic_network TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON traffic_network TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON counted_network_quarter TO heliograph_worker;

-- Adds the messages that were queued from one moment until another, both within a quarter. A number is in the network at the
-- place of its key among the bounds, counted from 0.
CREATE FUNCTION count_networks(starts timestamptz, since timestamptz, until timestamptz, bounds bigint[], networks bigint[])
RETURNS void LANGUAGE sql AS $$
  WITH k AS MATERIALIZED (
    SELECT k.*, s.states, k.id << 10 AS first, (k.id + 1) << 10 AS past
    FROM chunk k LEFT JOIN chunk_state s ON s.chunk_id = k.id
    WHERE k.created_at >= since AND k.created_at < until
      AND k.id >= (extract(epoch FROM starts)::bigint / 86400) << 28
      AND k.id < (extract(epoch FROM starts)::bigint / 86400 + 1) << 28
  )
  INSERT INTO traffic_network AS n (quarter, corporation_id, department_id, user_id, sender_id, network_id,
    messages, parts, delivered, failed, blocked, expired, spend, cost)
  SELECT starts, k.corporation_id, coalesce(k.department_id, 0), coalesce(k.user_id, 0), k.sender_id, c.network_id,
    sum(c.messages), sum(c.parts), sum(c.delivered), sum(c.failed), sum(c.blocked), sum(c.expired), sum(c.spend), sum(c.cost)
  FROM k CROSS JOIN LATERAL (
    SELECT m.network_id, count(*) FILTER (WHERE m.packed OR a.first) AS messages,
      coalesce(sum(CASE WHEN m.packed THEN 1 ELSE a.parts END), 0) AS parts,
      count(*) FILTER (WHERE m.state = 'delivered') AS delivered,
      count(*) FILTER (WHERE m.state IN ('failed_submit', 'failed_other', 'failed_internal', 'failed_billing')) AS failed,
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
        state_of_message(end_of(flags_of(k.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) AS state,
        coalesce(
          (SELECT k.ported[i + 1] FROM generate_subscripts(k.ported, 1) i WHERE i % 2 = 1 AND k.ported[i] = (m.id & 1023)),
          networks[1 + width_bucket((rpad(m.msisdn, 15, '0')::bigint << 4) + length(m.msisdn), bounds)]) AS network_id
      FROM message m WHERE m.id >= k.first AND m.id < k.past
    ) m
    LEFT JOIN (
      SELECT message_id, count(*) AS parts, bool_or(part = 1) AS first FROM submission
      WHERE message_id >= k.first AND message_id < k.past AND command_status = 0 GROUP BY message_id
    ) a ON a.message_id = m.id
    LEFT JOIN correction x ON x.message_id = m.id AND m.ended IS NOT NULL
    GROUP BY m.network_id
  ) c
  WHERE c.messages + c.parts + c.delivered + c.failed + c.blocked + c.expired + c.spend + c.cost > 0
  GROUP BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (quarter, corporation_id, department_id, user_id, sender_id, network_id) DO UPDATE SET
    messages = n.messages + excluded.messages, parts = n.parts + excluded.parts, delivered = n.delivered + excluded.delivered,
    failed = n.failed + excluded.failed, blocked = n.blocked + excluded.blocked, expired = n.expired + excluded.expired,
    spend = n.spend + excluded.spend, cost = n.cost + excluded.cost
$$;
REVOKE EXECUTE ON FUNCTION count_networks(timestamptz, timestamptz, timestamptz, bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_networks(timestamptz, timestamptz, timestamptz, bigint[], bigint[]) TO heliograph_worker;
