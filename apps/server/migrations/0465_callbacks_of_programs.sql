-- Addresses for callbacks that programs add themselves. One lives as long as its key works. The program before writes no key:
-- contract: demanded: constraint callback_endpoint.callback_endpoint_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_key(id) ON DELETE CASCADE
ALTER TABLE callback_endpoint ADD COLUMN api_key_id bigint REFERENCES api_key ON DELETE CASCADE;
CREATE INDEX callback_endpoint_api_key_id ON callback_endpoint (api_key_id) WHERE api_key_id IS NOT NULL;

-- Whether a key may be used today, in the time zone of its corporation.
CREATE FUNCTION key_works(key_id bigint) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT EXISTS (SELECT FROM api_key k JOIN corporation c ON c.id = k.corporation_id
    LEFT JOIN service_account s ON s.id = k.service_account_id
    WHERE k.id = key_id AND k.revoked_at IS NULL AND coalesce(k.last_day >= (now() AT TIME ZONE c.timezone)::date, true)
      AND coalesce(s.enabled, true))
$$;
REVOKE EXECUTE ON FUNCTION key_works(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION key_works(bigint) TO heliograph_api, heliograph_worker, heliograph_sender;

CREATE OR REPLACE VIEW callback_endpoint_row WITH (security_invoker) AS
  SELECT e.id, e.corporation_id, e.department_id, e.kind, e.url, e.types, e.description, e.enabled, e.paused_at, e.pause_reason,
    e.failing_since, e.created_at, c.name AS corporation_name, d.name AS department_name, s.secret_since, s.old_secret_until,
    e.api_key_id, k.name AS key_name, e.api_key_id IS NOT NULL AND NOT key_works(e.api_key_id) AS key_ended,
    coalesce(k.mode = 'test', false) AS for_tests
  FROM callback_endpoint e JOIN corporation c ON c.id = e.corporation_id LEFT JOIN department d ON d.id = e.department_id
  LEFT JOIN api_key k ON k.id = e.api_key_id
  CROSS JOIN LATERAL (
    SELECT max(s.created_at) FILTER (WHERE s.expires_at IS NULL AND s.shown) AS secret_since,
      max(s.expires_at) FILTER (WHERE s.expires_at > now()) AS old_secret_until
    FROM callback_secret s WHERE s.callback_endpoint_id = e.id
  ) s;
