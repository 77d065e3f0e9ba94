-- Campaigns that may have a step by the clock, by the index of live ones. Row level security hides the statistics of states
-- from the planner, which would read the whole table.
CREATE FUNCTION waiting_campaigns()
RETURNS TABLE (state campaign_state, starts_at timestamptz, ends_at timestamptz, pause_reason text)
LANGUAGE sql STABLE ROWS 20 SET enable_seqscan = off SET enable_bitmapscan = off SET enable_indexonlyscan = off SET search_path = public AS $$
  SELECT c.state, c.starts_at, c.ends_at, c.pause_reason FROM campaign c WHERE c.state IN ('preparing', 'scheduled', 'paused')
$$;
REVOKE EXECUTE ON FUNCTION waiting_campaigns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waiting_campaigns() TO heliograph_worker;
