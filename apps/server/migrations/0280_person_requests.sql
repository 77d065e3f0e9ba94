-- Searches for what is kept of one person, by their number. The number is sealed, and only its keyed hash stays.
CREATE TABLE person_request (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- with its customers; null: the whole platform
  user_id bigint REFERENCES user_account ON DELETE SET NULL,
  digest text NOT NULL, -- keyed hash of the number
  number_sealed text, -- null once the records are erased
  state text NOT NULL DEFAULT 'searching' CHECK (state IN ('searching', 'found', 'erasing', 'erased')),
  found jsonb, -- [{kind, count}]
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX person_request_corporation_id ON person_request (corporation_id, id);
CREATE INDEX person_request_user_id ON person_request (user_id) WHERE user_id IS NOT NULL;

CREATE VIEW person_request_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.number_sealed, p.state, p.found, u.name AS user_name, p.created_at
  FROM person_request p LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN user_account u ON u.id = p.user_id;

ALTER TABLE person_request ENABLE ROW LEVEL SECURITY;
ALTER TABLE person_request FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON person_request TO CURRENT_USER, heliograph_worker USING (true);
CREATE POLICY caller ON person_request TO heliograph_api USING (
  (SELECT scope_is_platform()) OR ((SELECT scope_is_corporation())
    AND corporation_id = ANY ((SELECT scope_corporations())::bigint[])));
GRANT SELECT, INSERT, UPDATE ON person_request TO heliograph_api;
GRANT SELECT, UPDATE, DELETE ON person_request TO heliograph_worker;
GRANT SELECT ON person_request_row TO heliograph_api, heliograph_worker;

-- Messages of the carriers' and the platform's own, that no other work of a worker reads.
GRANT SELECT ON carrier_callback, inbound_part, link_test, test_number, application_log, campaign_draft, campaign_series,
  saved_view, short_link, short_link_click, short_link_target, smpp_delivery, smpp_long_message, smpp_part, quote_dead
  TO heliograph_worker;

-- Corporations whose records a request covers: one with its customers. Null for all.
CREATE FUNCTION covered_corporations(of_corporation bigint) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
RETURN CASE WHEN of_corporation IS NULL THEN NULL ELSE (
  SELECT array_agg(c.id) FROM corporation c JOIN corporation own ON own.id = of_corporation
  WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id)) END;
REVOKE EXECUTE ON FUNCTION covered_corporations(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION covered_corporations(bigint) TO heliograph_worker;

ALTER FUNCTION sealed_values() RENAME TO sealed_values_and_streams;
CREATE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT context, sealed FROM sealed_values_and_streams())
  UNION ALL
  (SELECT 'person_request.number.' || id, number_sealed FROM person_request WHERE number_sealed IS NOT NULL ORDER BY id DESC LIMIT 100);
END;
REVOKE EXECUTE ON FUNCTION sealed_values() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sealed_values() TO heliograph_worker, heliograph_sender;
