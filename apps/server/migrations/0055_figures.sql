-- A campaign's counter of failed messages has the blocked ones among it; the statistics tell how many these are. Its figures
-- keep them apart, as the statistics, the reports and the guide do.
CREATE OR REPLACE VIEW campaign_figure WITH (security_invoker) AS
  SELECT n.campaign_id, n.corporation_id, greatest(n.processed - coalesce(w.waiting, 0), 0) AS processed,
    coalesce(w.waiting, 0) AS waiting, n.submitted, n.delivered,
    greatest(n.failed - coalesce((SELECT sum(q.blocked) FROM traffic_quarter q
      WHERE q.campaign_id = n.campaign_id AND q.campaign_id > 0), 0)::bigint, 0) AS failed,
    n.expired, n.cancelled, n.charged, n.released,
    coalesce((SELECT sum(q.blocked) FROM traffic_quarter q
      WHERE q.campaign_id = n.campaign_id AND q.campaign_id > 0), 0)::bigint AS blocked
  FROM campaign_counter n LEFT JOIN (
    SELECT k.campaign_id, sum(r.messages)::bigint AS waiting
    FROM (SELECT message_id >> 10 AS chunk_id, count(*) AS messages FROM retry WHERE part = 1 GROUP BY 1) r
    JOIN chunk k ON k.id = r.chunk_id GROUP BY 1
  ) w ON w.campaign_id = n.campaign_id;

-- Owners of messages by the name that reports show. The platform's own messages, sign-in codes and notices, belong to
-- corporation 0, which is the platform: its people see them in every report, and row level security keeps them from all others.
CREATE VIEW traffic_owner WITH (security_invoker) AS
  SELECT id, name, currency FROM corporation
  UNION ALL
  SELECT 0, coalesce((SELECT nullif(value, '') FROM global_configuration WHERE key = 'app_name' AND enabled), 'Heliograph'),
    coalesce((SELECT nullif(value, '') FROM global_configuration WHERE key = 'currency' AND enabled), 'PHP');
GRANT SELECT ON traffic_owner TO heliograph_api, heliograph_worker;
