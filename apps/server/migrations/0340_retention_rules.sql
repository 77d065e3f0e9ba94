-- Days for which a corporation's data is kept. Each of three may set a rule; the shortest time holds.
CREATE TABLE retention_rule (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  set_by text NOT NULL CHECK (set_by IN ('platform', 'reseller', 'corporation')),
  otp_days integer CHECK (otp_days >= 7), -- texts of the class
  transactional_days integer CHECK (transactional_days >= 7),
  bulk_days integer CHECK (bulk_days >= 7),
  number_days integer CHECK (number_days >= 31), -- full numbers and names in messages
  reply_days integer CHECK (reply_days >= 7),
  file_days integer CHECK (file_days >= 1),
  log_days integer CHECK (log_days >= 31),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT retention_rule_corporation_id_key UNIQUE (corporation_id, set_by)
);
CREATE VIEW retention_rule_row WITH (security_invoker) AS
  SELECT r.id, r.corporation_id, c.name AS corporation_name, r.set_by, r.otp_days, r.transactional_days, r.bulk_days, r.number_days,
    r.reply_days, r.file_days, r.log_days, r.created_at
  FROM retention_rule r JOIN corporation c ON c.id = r.corporation_id;

-- UTC days of which a corporation's texts of a class, or its numbers, were removed; the days of the rule tell why.
CREATE TABLE retention_run (
  day date NOT NULL,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('otp', 'transactional', 'bulk', 'number')),
  days integer NOT NULL,
  done_at timestamptz NOT NULL,
  PRIMARY KEY (day, corporation_id, kind)
);
CREATE INDEX retention_run_corporation_id ON retention_run (corporation_id);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['retention_rule', 'retention_run'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api
      USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON retention_rule TO heliograph_api;
GRANT SELECT ON retention_rule_row TO heliograph_api, heliograph_worker;
GRANT SELECT ON retention_rule TO heliograph_worker;
GRANT SELECT ON retention_run, redacted_day TO heliograph_api;
GRANT SELECT, INSERT, DELETE ON retention_run TO heliograph_worker;

-- True once a number has lost its last four digits, by a rule or an erasure: it never loses four more.
ALTER TABLE message ADD COLUMN number_cut boolean;

ALTER FUNCTION erase_messages(bigint[], text) RENAME TO erase_message_contents;
CREATE FUNCTION erase_messages(ids bigint[], pattern text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  changed bigint;
BEGIN
  changed := erase_message_contents(ids, pattern);
  UPDATE message SET number_cut = true WHERE id = ANY (ids);
  RETURN changed;
END $$;

-- Empties the receipts of whole chunks. A copy of packs that a closing has made is thrown away, and made again another night.
CREATE FUNCTION empty_receipts(chunks bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('close_day'));
  UPDATE day_closing SET read_rows = -1 WHERE day IN (SELECT date '1970-01-01' + (c >> 28)::integer FROM unnest(chunks) c);
  UPDATE receipt_pack SET raw = '' WHERE chunk_id = ANY (chunks) AND raw <> '';
  UPDATE outcome o SET receipt = '' FROM unnest(chunks) c
    WHERE o.message_id >= c << 10 AND o.message_id < (c + 1) << 10 AND o.receipt <> '';
  UPDATE receipt r SET raw = '' FROM unnest(chunks) c
    WHERE r.message_id >= c << 10 AND r.message_id < (c + 1) << 10 AND r.raw <> '';
END $$;

-- Removes the texts of chunks.
CREATE FUNCTION remove_texts(chunks bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM empty_receipts(chunks);
  UPDATE chunk SET common_text = '[removed]' WHERE id = ANY (chunks) AND common_text IS DISTINCT FROM '[removed]';
  UPDATE message m SET text = NULL FROM unnest(chunks) c
    WHERE m.id >= c << 10 AND m.id < (c + 1) << 10 AND m.text IS NOT NULL;
  UPDATE moderation_item SET samples = '{}' WHERE chunk_id = ANY (chunks) AND samples <> '{}';
END $$;

-- Takes the last four digits of the numbers of chunks, and names. A text of one recipient may name them, so it goes as well.
CREATE FUNCTION cut_numbers(chunks bigint[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM empty_receipts(chunks);
  UPDATE message m SET msisdn = left(m.msisdn, -4), number_cut = true, name = NULL,
      text = CASE WHEN m.text IS NOT NULL THEN '[removed]' END
    FROM unnest(chunks) c WHERE m.id >= c << 10 AND m.id < (c + 1) << 10 AND m.number_cut IS NOT TRUE;
END $$;

-- Takes the numbers of conversations that were silent since a time, some phones at once. Their messages stay together under one
-- name for each phone, so that counts of phones stay. Answers how many phones there were.
CREATE FUNCTION cut_conversations(own bigint, before timestamptz, most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  phone record;
  new_name text;
  changed bigint := 0;
BEGIN
  FOR phone IN SELECT c.oa, min(c.id) AS id FROM conversation c WHERE c.corporation_id = own
      AND c.oa !~ '^(removed|erased)-' GROUP BY c.oa HAVING max(c.last_at) < before ORDER BY 2 LIMIT most LOOP
    new_name := 'removed-' || phone.id;
    PERFORM FROM conversation WHERE corporation_id = own AND oa = phone.oa ORDER BY id FOR UPDATE;
    -- Somebody may have written meanwhile.
    CONTINUE WHEN EXISTS (SELECT FROM conversation WHERE corporation_id = own AND oa = phone.oa AND last_at >= before);
    UPDATE conversation SET oa = new_name WHERE corporation_id = own AND oa = phone.oa;
    UPDATE inbound_message b SET sender = new_name FROM inbox_message i
      WHERE i.corporation_id = own AND i.oa = phone.oa AND b.id = i.inbound_id;
    UPDATE inbox_message SET oa = new_name WHERE corporation_id = own AND oa = phone.oa;
    changed := changed + 1;
  END LOOP;
  RETURN changed;
END $$;

-- Takes the details of log entries that are older than the rule of their corporation, or of the platform. Their hashes stay, and
-- the caller logs which entries they were, as an erasure does. Entries that the checks of the log and of invoices read stay.
CREATE FUNCTION forget_log(corporations bigint[], befores timestamptz[], all_before timestamptz, after bigint, most integer)
RETURNS TABLE (place bigint, content text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM set_config('heliograph.erasing', 'on', true);
  RETURN QUERY UPDATE activity_log a SET properties = '{"removed": true}' WHERE a.position IN (
      SELECT o.position FROM activity_log o LEFT JOIN unnest(corporations, befores) AS r(corporation, before)
        ON r.corporation = o.corporation_id
      WHERE o.position > after AND o.created_at < greatest(r.before, all_before) AND o.name NOT IN ('privacy', 'invoices')
        AND o.properties NOT IN ('{"removed": true}', '{}')
      ORDER BY o.position LIMIT most)
    RETURNING a.position, encode(sha256(convert_to(activity_text(a), 'UTF8')), 'hex');
  PERFORM set_config('heliograph.erasing', 'off', true);
END $$;

REVOKE EXECUTE ON FUNCTION erase_messages, erase_message_contents, empty_receipts, remove_texts, cut_numbers, cut_conversations,
  forget_log FROM PUBLIC, heliograph_worker;
GRANT EXECUTE ON FUNCTION erase_messages, remove_texts, cut_numbers, cut_conversations, forget_log TO heliograph_worker;
