-- Campaigns of before: what the ledger says that each cost its reseller, by the share of its parts. Messages of programs
-- are counted by `npm run rebuild-traffic`.
WITH paid AS (
  SELECT x.campaign_id, -sum(x.amount)::bigint AS cost FROM credit_change x JOIN campaign c ON c.id = x.campaign_id
  WHERE x.corporation_id <> c.corporation_id AND x.kind IN ('charge', 'correction') GROUP BY 1
), share AS (
  SELECT q.quarter, q.corporation_id, q.department_id, q.user_id, q.campaign_id, q.sender_id, p.cost,
    (p.cost * q.parts / nullif(sum(q.parts) OVER of_campaign, 0))::bigint AS part,
    row_number() OVER (PARTITION BY q.campaign_id ORDER BY q.parts DESC, q.quarter, q.sender_id) AS place
  FROM paid p JOIN traffic_quarter q ON q.campaign_id = p.campaign_id AND q.campaign_id > 0
  WINDOW of_campaign AS (PARTITION BY q.campaign_id)
), exact AS (
  SELECT *, coalesce(part, 0) + CASE WHEN place = 1
    THEN cost - sum(coalesce(part, 0)) OVER (PARTITION BY campaign_id) ELSE 0 END AS whole FROM share
)
UPDATE traffic_quarter q SET cost = e.whole FROM exact e
WHERE (q.quarter, q.corporation_id, q.department_id, q.user_id, q.campaign_id, q.sender_id)
  = (e.quarter, e.corporation_id, e.department_id, e.user_id, e.campaign_id, e.sender_id) AND e.whole <> 0;
