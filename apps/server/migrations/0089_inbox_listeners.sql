-- People with an open session who may see messages of these corporations in their inbox. A caller may not see all of them,
-- but what the caller changes is shown to them.
CREATE FUNCTION inbox_listeners(corporations bigint[]) RETURNS SETOF bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT u.id FROM user_account u
  WHERE u.enabled AND EXISTS (SELECT FROM session s WHERE s.user_id = u.id AND s.ended_at IS NULL)
    AND (u.scope_level < 2 OR u.corporation_id = ANY (corporations)
      OR u.corporation_id IN (SELECT reseller_id FROM corporation WHERE id = ANY (corporations)))
    AND EXISTS (SELECT FROM permission p WHERE p.name = 'inbox-index' AND (
      EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
      OR EXISTS (SELECT FROM user_permission g WHERE g.permission_id = p.id AND g.user_id = u.id)))
$$;
REVOKE EXECUTE ON FUNCTION inbox_listeners(bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION inbox_listeners(bigint[]) TO heliograph_api, heliograph_worker;
