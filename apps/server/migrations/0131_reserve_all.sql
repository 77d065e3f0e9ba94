-- Reserves many amounts, all or none. It fails where an account cannot pay: a COMMIT that was sent behind it, before its
-- answer, then commits nothing.
CREATE FUNCTION reserve_all(keys text[], account_ids bigint[], corporation_ids bigint[], amounts bigint[], pricings jsonb[])
RETURNS void LANGUAGE plpgsql SET search_path = public AS $$
DECLARE
  wanted integer := cardinality(keys);
BEGIN
  IF EXISTS (
    SELECT FROM post_transfers(keys, array_fill('reservation'::text, ARRAY[wanted]), account_ids, corporation_ids, amounts,
      array_fill(NULL::bigint, ARRAY[wanted]), array_fill(NULL::bigint, ARRAY[wanted]), array_fill(NULL::text, ARRAY[wanted]),
      array_fill(NULL::timestamptz, ARRAY[wanted]), pricings) AS p
    WHERE p.result <> 'posted'
  ) THEN
    RAISE EXCEPTION 'an account cannot pay' USING ERRCODE = 'HGRA0';
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION reserve_all FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reserve_all TO heliograph_intake;
