-- Time travel in the sandbox: what waits of the test messages of one corporation is moved nearer by so many seconds. Nothing
-- of live keys is on the link of the virtual carrier.
CREATE FUNCTION move_sandbox_time(corporation bigint, seconds integer)
  RETURNS TABLE (receipts integer, messages integer, verifications integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  step interval := make_interval(secs => seconds);
  carrier bigint := (SELECT l.id FROM link l WHERE l.virtual);
BEGIN
  IF seconds < 1 OR NOT (scope_is_platform() OR coalesce(corporation = ANY (scope_corporations()), false)) THEN
    RAISE EXCEPTION 'not allowed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE sandbox_due d SET due_at = d.due_at - step WHERE d.corporation_id = corporation;
  GET DIAGNOSTICS receipts = ROW_COUNT;
  UPDATE retry r SET not_before = r.not_before - step WHERE r.link_id = carrier AND r.corporation_id = corporation;
  -- Two statements, because open and held chunks have indexes of their own.
  WITH moved AS (
    UPDATE chunk k SET expires_at = k.expires_at - step
    WHERE k.link_id = carrier AND k.class = ANY (enum_range(NULL::message_class)) AND k.corporation_id = corporation
      AND k.state = 'open' AND k.campaign_id IS NULL RETURNING k.size - k.cursor AS waiting
  ), held AS (
    UPDATE chunk k SET not_before = k.not_before - step, expires_at = k.expires_at - step
    WHERE k.link_id = carrier AND k.corporation_id = corporation AND k.state = 'held' AND k.not_before IS NOT NULL
    RETURNING k.size - k.cursor AS waiting
  )
  SELECT coalesce(sum(a.waiting), 0)::integer INTO messages FROM (SELECT m.waiting FROM moved m UNION ALL SELECT h.waiting FROM held h) a;
  UPDATE verification v SET expires_at = v.expires_at - step
  WHERE v.corporation_id = corporation AND v.is_test AND v.state = 'pending' AND v.created_at > now() - interval '2 days';
  GET DIAGNOSTICS verifications = ROW_COUNT;
  RETURN NEXT;
END $$;
REVOKE EXECUTE ON FUNCTION move_sandbox_time(bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION move_sandbox_time(bigint, integer) TO heliograph_api;
