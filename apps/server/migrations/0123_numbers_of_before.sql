-- Numbers that were given out before. A time before this version is not known for certain, so the oldest row of the
-- corporation gives it.
SELECT record_number(number) FROM (
  SELECT sender_written(sender_id) AS number FROM sender_id WHERE sender_id ~ '^\d+$'
  UNION SELECT number FROM routing WHERE number ~ '^\d+$'
) n ORDER BY number;
UPDATE number_assignment a SET given_at = least(a.given_at,
  (SELECT min(s.created_at) FROM sender_id s WHERE s.corporation_id = a.corporation_id AND sender_written(s.sender_id) = a.number),
  (SELECT min(r.created_at) FROM routing r WHERE r.corporation_id = a.corporation_id AND r.number = a.number))
  WHERE a.given_by IS NULL AND a.until_at IS NULL;
