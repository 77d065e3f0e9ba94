-- The campaigns that run, by the index of what is live. Behind row level security the planner may not use what it knows of
-- states; it takes a fifth of all campaigns for running, and reads all of them each second, or once they are vacuumed all of an
-- index that holds the state.
CREATE FUNCTION running_campaigns() RETURNS TABLE (campaign_id bigint)
LANGUAGE sql STABLE ROWS 20 SET enable_seqscan = off SET enable_bitmapscan = off SET enable_indexonlyscan = off SET search_path = public AS $$
  SELECT id FROM campaign WHERE state = 'running'
$$;
REVOKE EXECUTE ON FUNCTION running_campaigns() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION running_campaigns() TO heliograph_worker, heliograph_sender;
