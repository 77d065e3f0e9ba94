-- When the text of a reply or note was removed, and by a rule of how many days; without days at the request of the person. The
-- platform's setting goes by whole days, which `redacted_day` has.
ALTER TABLE inbox_message ADD COLUMN removed_at timestamptz, ADD COLUMN removed_days integer;
ALTER TABLE conversation_entry ADD COLUMN removed_at timestamptz, ADD COLUMN removed_days integer;
GRANT UPDATE (removed_at, removed_days) ON conversation_entry TO heliograph_worker;

-- Removal of a text that is gone: who caused it, the days of the rule, and when; null if the text is there.
CREATE FUNCTION removal_of(gone boolean, at timestamptz, days integer, of_day timestamptz) RETURNS jsonb LANGUAGE sql STABLE
RETURN CASE WHEN gone THEN (
  SELECT jsonb_build_object('by', CASE WHEN at IS NULL AND d.redacted_at IS NOT NULL THEN 'platform' WHEN days IS NULL THEN 'person'
      ELSE 'corporation' END, 'days', days,
    'at', to_char(coalesce(at, d.redacted_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
  FROM (SELECT (SELECT r.redacted_at FROM redacted_day r WHERE r.day = (of_day AT TIME ZONE 'UTC')::date) AS redacted_at) d) END;
REVOKE EXECUTE ON FUNCTION removal_of(boolean, timestamptz, integer, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION removal_of(boolean, timestamptz, integer, timestamptz) TO heliograph_api, heliograph_worker;
