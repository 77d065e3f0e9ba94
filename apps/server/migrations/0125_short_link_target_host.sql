-- Host with which a link was sent; null for links from before, which have the platform's.
ALTER TABLE short_link_target ADD COLUMN host text;

-- As before, but a link is only known at the hosts of the reseller that it was sent for, or else at the platform's.
CREATE FUNCTION follow_short_link(wanted text, counted boolean, asked_host text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF (SELECT h.corporation_id FROM short_link_host h WHERE h.host = asked_host) IS DISTINCT FROM (
    SELECT h.corporation_id FROM short_link l JOIN short_link_target t ON t.id = l.target_id
    JOIN short_link_host h ON h.host = t.host WHERE l.code = wanted)
  THEN RETURN NULL; END IF;
  RETURN follow_short_link(wanted, counted);
END $$;
REVOKE EXECUTE ON FUNCTION follow_short_link(text, boolean, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION follow_short_link(text, boolean, text) TO heliograph_api;
