-- Erasing what is kept of one person. Sums, states and charges stay; opt-outs and blocks stay as a keyed hash of the number.
ALTER TABLE person_request
  ADD COLUMN reason text,
  ADD COLUMN erased_by bigint REFERENCES user_account ON DELETE SET NULL,
  ADD COLUMN asked_at timestamptz,
  ADD COLUMN erased jsonb NOT NULL DEFAULT '{}', -- records erased so far, by kind
  ADD COLUMN erased_at timestamptz,
  ADD COLUMN activity_id bigint; -- entry of the log with the certificate
CREATE INDEX person_request_erased_by ON person_request (erased_by) WHERE erased_by IS NOT NULL;
CREATE OR REPLACE VIEW person_request_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.number_sealed, p.state, p.found, u.name AS user_name, p.created_at,
    p.digest, p.reason, e.name AS erased_by_name, p.asked_at, p.erased, p.erased_at, p.activity_id
  FROM person_request p LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN user_account u ON u.id = p.user_id
  LEFT JOIN user_account e ON e.id = p.erased_by;

-- Opt-outs and blocks of people whose records were erased. Nobody can read the number from the hash.
CREATE TABLE erased_stop (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  digest text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('opt_out', 'blacklist')),
  sender_id_id bigint REFERENCES sender_id ON DELETE CASCADE, -- of a block; null: whatever the sender
  channel text, -- of a block
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz, -- when the person opted in again
  -- Senders read what is new to them by the transactions they have not seen, as with opt_out.
  changed_in xid8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE UNIQUE INDEX erased_stop_key ON erased_stop (corporation_id, digest, kind, sender_id_id, channel) NULLS NOT DISTINCT
  WHERE ended_at IS NULL;
CREATE INDEX erased_stop_changed_in ON erased_stop (changed_in);
CREATE INDEX erased_stop_sender_id_id ON erased_stop (sender_id_id) WHERE sender_id_id IS NOT NULL;
ALTER TABLE erased_stop ENABLE ROW LEVEL SECURITY;
ALTER TABLE erased_stop FORCE ROW LEVEL SECURITY;
CREATE POLICY inside ON erased_stop TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
CREATE POLICY caller ON erased_stop TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
GRANT SELECT, UPDATE (ended_at, changed_in) ON erased_stop TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON erased_stop TO heliograph_worker;
GRANT SELECT ON erased_stop TO heliograph_sender, heliograph_intake;

-- Replaces a number in a text, in whatever spelling the expression finds.
CREATE FUNCTION without_number(value text, pattern text) RETURNS text LANGUAGE sql IMMUTABLE
RETURN regexp_replace(value, pattern, '[removed]', 'g');

-- Replaces a number in all texts of a JSON value. With `texts`, what was said and names go too.
CREATE FUNCTION without_number(value jsonb, pattern text, texts boolean DEFAULT false) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE jsonb_typeof(value)
    WHEN 'string' THEN to_jsonb(without_number(value #>> '{}', pattern))
    WHEN 'number' THEN CASE WHEN value #>> '{}' ~ pattern THEN to_jsonb('[removed]'::text) ELSE value END
    WHEN 'array' THEN (SELECT coalesce(jsonb_agg(without_number(e, pattern, texts) ORDER BY n), '[]')
      FROM jsonb_array_elements(value) WITH ORDINALITY AS a(e, n))
    WHEN 'object' THEN (SELECT coalesce(jsonb_object_agg(without_number(k, pattern),
        CASE WHEN texts AND jsonb_typeof(v) = 'string' AND (k IN ('text', 'message', 'reply_message', 'ended_message', 'note',
          'proof', 'wording', 'keyword') OR k ~ '^(first_|last_)?name$|^param[1-9]$')
          THEN to_jsonb('[removed]'::text) ELSE without_number(v, pattern, texts) END), '{}')
      FROM jsonb_each(value) AS o(k, v))
    ELSE value END;
END $$;

-- Takes a person out of messages: number but its first digits, name, text, and the PDUs of receipts. The digits that stay name
-- the network, so that every report counts as before.
CREATE FUNCTION erase_messages(ids bigint[], pattern text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  chunks bigint[] := ARRAY(SELECT DISTINCT i >> 10 FROM unnest(ids) i ORDER BY 1);
  pack record;
  kept_raw bytea;
  kept_sizes text[];
  place text;
  size integer;
  at integer;
  n integer;
  changed bigint;
BEGIN
  -- A copy of packs that a closing has made is thrown away with its day, and made again another night.
  PERFORM pg_advisory_xact_lock(hashtext('close_day'));
  UPDATE day_closing SET read_rows = -1 WHERE day IN (SELECT date '1970-01-01' + (c >> 28)::integer FROM unnest(chunks) c);
  PERFORM FROM chunk_state WHERE chunk_id = ANY (chunks) ORDER BY chunk_id FOR UPDATE;
  FOR pack IN SELECT p.ctid AS row, p.chunk_id, p.places, p.sizes, p.raw FROM receipt_pack p
    WHERE p.chunk_id = ANY (chunks) AND length(p.raw) > 0 LOOP
    kept_raw := '';
    kept_sizes := '{}';
    at := 1;
    n := 0;
    FOREACH place IN ARRAY string_to_array(pack.places, ',') LOOP
      n := n + 1;
      size := split_part(pack.sizes, ',', n)::integer;
      IF (pack.chunk_id << 10) + place::bigint = ANY (ids) THEN
        kept_sizes := array_append(kept_sizes, '0');
      ELSE
        kept_sizes := array_append(kept_sizes, size::text);
        kept_raw := kept_raw || substring(pack.raw FROM at FOR size);
      END IF;
      at := at + size;
    END LOOP;
    IF length(kept_raw) < length(pack.raw) THEN
      UPDATE receipt_pack SET raw = kept_raw, sizes = array_to_string(kept_sizes, ',')
        WHERE chunk_id = pack.chunk_id AND ctid = pack.row;
    END IF;
  END LOOP;
  UPDATE outcome SET receipt = '' WHERE message_id = ANY (ids) AND receipt <> '';
  UPDATE receipt SET raw = '' WHERE message_id = ANY (ids) AND raw <> '';
  UPDATE moderation_item SET samples = '{}' WHERE samples <> '{}' AND (chunk_id = ANY (chunks)
    OR campaign_id IN (SELECT campaign_id FROM message WHERE id = ANY (ids)));
  UPDATE quote SET samples = '[]' WHERE samples <> '[]' AND id IN (
    SELECT c.quote_id FROM campaign c JOIN message m ON m.campaign_id = c.id WHERE m.id = ANY (ids) AND m.text IS NOT NULL);
  UPDATE message SET msisdn = left(msisdn, -4), name = NULL, text = NULL WHERE id = ANY (ids);
  GET DIAGNOSTICS changed = ROW_COUNT;
  -- A text that only this person got, and one that names them.
  UPDATE chunk c SET common_text = CASE
      WHEN NOT EXISTS (SELECT FROM message o WHERE o.id >= c.id << 10 AND o.id < (c.id + 1) << 10 AND o.msisdn <> own.msisdn)
      THEN '[removed]' ELSE without_number(c.common_text, pattern) END
    FROM (SELECT DISTINCT id >> 10 AS chunk_id, msisdn FROM message WHERE id = ANY (ids)) own
    WHERE c.id = own.chunk_id AND c.common_text IS NOT NULL;
  RETURN changed;
END $$;

-- Takes a person out of receipts that found no message, whoever's they are.
CREATE FUNCTION erase_lost_receipts(msisdn text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE receipt SET raw = '' WHERE message_id IS NULL AND position(convert_to(msisdn, 'UTF8') IN raw) > 0;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;

-- The log stays append-only for everything but this: the content of entries that name a person. Their hashes stay, so that the
-- chain does too, and the caller logs which entries they were, with the hash of what is left.
CREATE FUNCTION activity_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('heliograph.erasing', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'the activity log is append-only';
END $$;
DROP TRIGGER activity_log_append_only ON activity_log;
CREATE TRIGGER activity_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON activity_log
  FOR EACH STATEMENT EXECUTE FUNCTION activity_is_append_only();
CREATE FUNCTION erase_from_log(pattern text, corporations bigint[]) RETURNS TABLE (place bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM set_config('heliograph.erasing', 'on', true);
  RETURN QUERY UPDATE activity_log a SET properties = without_number(a.properties, pattern, true)
    WHERE a.properties::text ~ pattern AND (corporations IS NULL OR a.corporation_id = ANY (corporations))
    RETURNING a.position, encode(sha256(convert_to(activity_text(a), 'UTF8')), 'hex');
  PERFORM set_config('heliograph.erasing', 'off', true);
END $$;

REVOKE EXECUTE ON FUNCTION erase_messages, erase_lost_receipts, erase_from_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_messages, erase_lost_receipts, erase_from_log TO heliograph_worker;

GRANT UPDATE (sender, text, parameters) ON inbound_message TO heliograph_worker;
GRANT UPDATE (text) ON conversation_entry TO heliograph_worker;
GRANT UPDATE (numbers_count) ON number_list TO heliograph_worker;
GRANT DELETE ON opt_out, blacklist_number, consent, consent_event, inbound_part, test_number, upload, set_aside,
  sending_limit_use, smpp_delivery, smpp_long_message TO heliograph_worker;
GRANT UPDATE (msisdn) ON short_link, short_link_click TO heliograph_worker;
GRANT UPDATE (url) ON short_link_target TO heliograph_worker;
GRANT UPDATE (data) ON event TO heliograph_worker;
GRANT UPDATE (answer) ON routing_attempt TO heliograph_worker;
GRANT UPDATE (rejected, tags, client_ref) ON program_batch TO heliograph_worker;
GRANT UPDATE (client_ref, tags, callback_url) ON program_message TO heliograph_worker;
GRANT UPDATE (content, name, rejected_path) ON campaign TO heliograph_worker;
GRANT UPDATE (content, name) ON campaign_draft, campaign_series TO heliograph_worker;
GRANT UPDATE (content, samples, rejected, details, rejected_path) ON quote TO heliograph_worker;
GRANT UPDATE (number) ON link_test TO heliograph_worker;
GRANT UPDATE (preview, file_name) ON upload TO heliograph_worker;
