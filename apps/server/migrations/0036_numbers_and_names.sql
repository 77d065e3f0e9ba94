-- Numbers that phones write to are given out by the platform; names of others are refused to tenants.

-- Skeletons under which a long name could sign: whole, cut to the length of a sender ID, its first two
-- words, and without its company form.
CREATE FUNCTION signing_names(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_remove(ARRAY[
  name_skeleton(name),
  name_skeleton(left(regexp_replace(name, '[^A-Za-z0-9]', '', 'g'), 11)),
  name_skeleton(left(regexp_replace(name, '\s+', '', 'g'), 11)),
  name_skeleton(regexp_replace(name, '^(\S+\s+\S+)\s.*$', '\1')),
  name_skeleton(regexp_replace(name,
    '[\s,]+(incorporated|inc|limited|ltd|corporation|corp|company|co|llc|plc|gmbh|ag|sa|bv|pte|pty|group|holdings?)\.?$', '', 'i'))
], '');
CREATE INDEX corporation_signing_names ON corporation USING gin (signing_names(name));

-- Whether a tenant may not sign with a name: it is the platform's, another tenant's, or looks like one of them.
CREATE FUNCTION sender_name_reserved(owner bigint, candidate text) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN EXISTS (
  SELECT FROM (SELECT 'Heliograph' AS own UNION
    SELECT value FROM global_configuration WHERE key IN ('app_name', 'otp_sender_id') AND enabled) p,
    unnest(signing_names(p.own)) AS own_name
  WHERE name_skeleton(candidate) = own_name
    OR (length(own_name) > 3 AND position(own_name IN name_skeleton(candidate)) > 0)
) OR EXISTS (
  SELECT FROM reseller r WHERE r.corporation_id <> owner AND r.app_name IS NOT NULL
    AND signing_names(r.app_name) && signing_names(candidate)
) OR EXISTS (
  SELECT FROM corporation c WHERE c.id <> owner AND signing_names(c.name) && signing_names(candidate)
) OR EXISTS (
  SELECT FROM sender_id s WHERE s.corporation_id <> owner AND name_skeleton(s.sender_id) = ANY (signing_names(candidate))
);
REVOKE EXECUTE ON FUNCTION sender_name_reserved(bigint, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sender_name_reserved(bigint, text) TO heliograph_api, heliograph_worker;

-- Corporation to which a number belongs: that whose sender ID it is, else the only one with routings of it. Null where it is
-- nobody's, or shared by routings that the platform made.
CREATE FUNCTION number_holder(number text) RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN (
  WITH sender AS (
    SELECT DISTINCT corporation_id FROM sender_id WHERE upper(sender_id) IN (number, '00' || number) AND NOT withheld
  ), ruled AS (
    SELECT DISTINCT r.corporation_id FROM routing r WHERE r.number = number_holder.number AND NOT r.withheld
  )
  SELECT CASE WHEN (SELECT count(*) FROM sender) = 1 THEN (SELECT corporation_id FROM sender)
    WHEN (SELECT count(*) FROM sender) = 0 AND (SELECT count(*) FROM ruled) = 1 THEN (SELECT corporation_id FROM ruled) END
);
REVOKE EXECUTE ON FUNCTION number_holder(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_holder(text) TO heliograph_api, heliograph_worker, heliograph_sender;

-- What decides about a text to a number, whosever rules they are: only words, no other field of them.
CREATE FUNCTION routing_words(number text)
RETURNS TABLE (id bigint, corporation_id bigint, keyword text, holds boolean, aliases text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT r.id, r.corporation_id, r.keyword, number_holder(r.number) IS NOT DISTINCT FROM r.corporation_id,
    ARRAY(SELECT w.word FROM alias_word w JOIN alias a ON a.id = w.alias_id AND a.enabled
      WHERE w.corporation_id = r.corporation_id AND lower(a.word) = lower(r.keyword))
  FROM routing r WHERE r.number = routing_words.number AND r.enabled AND NOT r.withheld ORDER BY r.id;
$$;
REVOKE EXECUTE ON FUNCTION routing_words(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION routing_words(text) TO heliograph_api;

-- Numbers that several corporations took before this version: those that the platform's people gave stay in effect, else
-- those of the corporation that was first. The log says who made a row; rows without an entry were made by programs.
CREATE TEMP TABLE maker ON COMMIT DROP AS
  SELECT DISTINCT ON (l.subject_type, l.subject_id) l.subject_type AS record, l.subject_id AS id,
    CASE WHEN u.scope_level < 2 THEN 0 ELSE 2 END AS rank
  FROM activity_log l JOIN user_account u ON u.id = l.causer_id
  WHERE l.subject_type IN ('sender-ids', 'routings') AND l.description = 'created'
  ORDER BY l.subject_type, l.subject_id, l.id;
CREATE TEMP TABLE lost ON COMMIT DROP AS
  WITH row AS (
    SELECT regexp_replace(s.sender_id, '^00', '') AS number, s.corporation_id, s.created_at, coalesce(m.rank, 1) AS rank
    FROM sender_id s LEFT JOIN maker m ON m.record = 'sender-ids' AND m.id = s.id WHERE s.sender_id ~ '^[0-9]+$'
    UNION ALL
    SELECT r.number, r.corporation_id, r.created_at, coalesce(m.rank, 1)
    FROM routing r LEFT JOIN maker m ON m.record = 'routings' AND m.id = r.id
  ), claim AS (
    SELECT number, corporation_id, min(rank) AS rank, min(created_at) AS first_at FROM row GROUP BY number, corporation_id
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY number ORDER BY rank, first_at, corporation_id) AS place FROM claim
  )
  SELECT number, corporation_id FROM ranked WHERE place > 1 AND rank > 0;
UPDATE sender_id s SET withheld = true FROM lost
WHERE s.sender_id ~ '^[0-9]+$' AND regexp_replace(s.sender_id, '^00', '') = lost.number
  AND s.corporation_id = lost.corporation_id;
UPDATE routing r SET withheld = true FROM lost WHERE r.number = lost.number AND r.corporation_id = lost.corporation_id;

-- The names of the platform itself that tenants made before this version sign nothing any more.
UPDATE sender_id s SET withheld = true
FROM maker m
WHERE m.record = 'sender-ids' AND m.id = s.id AND m.rank = 2 AND EXISTS (
  SELECT FROM (SELECT 'Heliograph' AS own UNION
    SELECT value FROM global_configuration WHERE key IN ('app_name', 'otp_sender_id') AND enabled) p
  WHERE name_skeleton(s.sender_id) = ANY (signing_names(p.own)));

CREATE OR REPLACE VIEW sender_id_row WITH (security_invoker) AS
  SELECT s.id, s.corporation_id, s.sender_id, s.enabled, s.is_promotional, s.add_optout, s.optout_keyword, s.created_at,
    s.throughput, c.name AS corporation_name, s.withheld
  FROM sender_id s JOIN corporation c ON c.id = s.corporation_id;
