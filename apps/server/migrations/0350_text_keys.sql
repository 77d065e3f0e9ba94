-- Keys with which the texts of a corporation's messages are encrypted, each sealed by the key of the installation. A destroyed
-- one keeps its row, and has no key: texts under it cannot be read any more.
CREATE TABLE text_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  number integer NOT NULL CHECK (number > 0), -- counts from 1 for each corporation; texts name it
  state text NOT NULL CHECK (state IN ('current', 'kept', 'destroyed')), -- new texts are encrypted with the current one
  key_sealed text,
  added_by bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  destroyed_by bigint REFERENCES user_account ON DELETE SET NULL,
  destroyed_at timestamptz,
  reason text, -- of the destruction
  CONSTRAINT text_key_corporation_id_key UNIQUE (corporation_id, number),
  CONSTRAINT text_key_destroyed CHECK ((state = 'destroyed') = (key_sealed IS NULL) AND (state = 'destroyed') = (destroyed_at IS NOT NULL))
);
CREATE UNIQUE INDEX text_key_current ON text_key (corporation_id) WHERE state = 'current';
CREATE INDEX text_key_added_by ON text_key (added_by);
CREATE INDEX text_key_destroyed_by ON text_key (destroyed_by);

ALTER TABLE text_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE text_key FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON text_key TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
CREATE POLICY caller ON text_key TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
GRANT SELECT, INSERT, UPDATE ON text_key TO heliograph_api;
GRANT SELECT ON text_key TO heliograph_worker, heliograph_sender, heliograph_intake;

ALTER FUNCTION sealed_values() RENAME TO sealed_values_and_people;
CREATE FUNCTION sealed_values() RETURNS TABLE (context text, sealed text) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
BEGIN ATOMIC
  (SELECT context, sealed FROM sealed_values_and_people())
  UNION ALL
  (SELECT 'text_key.key.' || corporation_id || '.' || number, key_sealed FROM text_key WHERE key_sealed IS NOT NULL);
END;
REVOKE EXECUTE ON FUNCTION sealed_values() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sealed_values() TO heliograph_worker, heliograph_sender;

-- Tells whether a text is encrypted: no other text begins with this character.
CREATE FUNCTION is_sealed_text(value text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN left(value, 1) = E'\x02';

-- Adds to an encrypted text the corporation and place of its row, as which it opens; leaves any other text as it is.
CREATE FUNCTION placed_text(value text, corporation bigint, place text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN left(value, 1) = E'\x02' THEN E'\x02' || corporation || '.' || place || '.' || substr(value, 2) ELSE value END;

-- The text of a message: its own, or the one of its chunk.
CREATE FUNCTION text_of_message(own text, common text, message_id bigint, corporation bigint) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN own IS NOT NULL THEN placed_text(own, corporation, 'm' || message_id)
  ELSE placed_text(common, corporation, 'c' || (message_id >> 10)) END;

CREATE OR REPLACE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name,
    text_of_message(m.text, k.common_text, m.id, m.corporation_id) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    CASE WHEN end_of(flags_of(s.states, m.id & 1023)) IS NULL
        AND EXISTS (SELECT FROM retry r WHERE r.message_id = m.id AND r.part = 1) THEN 'pending'
      ELSE state_of_message(end_of(flags_of(s.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) END AS state,
    o.error_code,
    coalesce(o.done_at, (SELECT d.received_at FROM delivered_row d WHERE d.chunk_id = k.id AND d.message_id = m.id)) AS done_at,
    charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, end_of(flags_of(s.states, m.id & 1023)),
      CASE WHEN is_packed(flags_of(s.states, m.id & 1023)) THEN 1
        ELSE (SELECT count(*) FROM submission a WHERE a.message_id = m.id AND a.command_status = 0) END)
      + coalesce((SELECT amount FROM correction x WHERE x.message_id = m.id), 0) AS charge
  FROM message m
  JOIN chunk k ON k.id = m.id >> 10
  LEFT JOIN chunk_state s ON s.chunk_id = k.id
  LEFT JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN outcome o ON o.message_id = m.id;
