-- What happens to most messages is the same: their one part is accepted, and they are delivered. So much is kept packed,
-- one row for all of a batch that belong to a chunk; whatever else a carrier says has a row of its own as before.

-- An octet a message, by its place in the chunk: the low four bits are its final state (end_of), 16 says that its only part
-- was answered, 32 that it was accepted and its answer is packed. Whoever records anything of a chunk locks its row first,
-- so that one final state and one answer a part stand for good.
CREATE TABLE chunk_state (
  chunk_id bigint PRIMARY KEY,
  corporation_id bigint NOT NULL,
  states bytea NOT NULL
) WITH (fillfactor = 30);
ALTER TABLE chunk_state ALTER states SET STORAGE PLAIN;

CREATE FUNCTION flags_of(states bytea, place bigint) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN octet_length(states) > place THEN get_byte(states, place::integer) ELSE 0 END;

CREATE FUNCTION end_of(flags integer) RETURNS message_state LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['delivered', 'expired', 'cancelled', 'failed_submit', 'failed_other', 'failed_internal', 'failed_billing',
  'blocked']::message_state[])[flags & 15];

CREATE FUNCTION is_packed(flags integer) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN flags & 32 > 0;

-- Answers that accepted messages of one part, and the receipts that say these were delivered. The lists are joined texts,
-- in step: places and milliseconds (receipts: microseconds) after `at` by commas, carrier ids by the unit separator.
CREATE TABLE answer_pack (
  chunk_id bigint NOT NULL,
  corporation_id bigint NOT NULL,
  link_id bigint NOT NULL,
  at timestamptz NOT NULL,
  places text NOT NULL,
  delays text NOT NULL,
  carrier_ids text NOT NULL,
  id_hashes integer[] NOT NULL
) PARTITION BY RANGE (chunk_id);
CREATE INDEX answer_pack_chunk_id ON answer_pack (chunk_id);
CREATE INDEX answer_pack_id_hashes ON answer_pack USING gin (id_hashes);

CREATE TABLE receipt_pack (
  chunk_id bigint NOT NULL,
  corporation_id bigint NOT NULL,
  link_id bigint NOT NULL,
  at timestamptz NOT NULL,
  places text NOT NULL,
  delays text NOT NULL,
  carrier_ids text NOT NULL,
  sizes text NOT NULL, -- octets of each PDU in `raw`
  raw bytea NOT NULL
) PARTITION BY RANGE (chunk_id);
CREATE INDEX receipt_pack_chunk_id ON receipt_pack (chunk_id);

-- What is packed does not shrink enough to be worth the time.
ALTER TABLE answer_pack ALTER places SET STORAGE EXTERNAL, ALTER delays SET STORAGE EXTERNAL,
  ALTER carrier_ids SET STORAGE EXTERNAL, ALTER id_hashes SET STORAGE EXTERNAL;
ALTER TABLE receipt_pack ALTER places SET STORAGE EXTERNAL, ALTER delays SET STORAGE EXTERNAL,
  ALTER carrier_ids SET STORAGE EXTERNAL, ALTER sizes SET STORAGE EXTERNAL, ALTER raw SET STORAGE EXTERNAL;

-- Under which the answers of a carrier id are found.
CREATE FUNCTION id_hash(carrier_id text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN crc32(convert_to(carrier_id, 'UTF8'))::bit(32)::integer;

-- Every answer and every receipt as if each had a row. Ask for them by chunk_id, which alone finds the packs.
CREATE VIEW submission_row WITH (security_invoker) AS
  SELECT message_id, message_id >> 10 AS chunk_id, part, corporation_id, link_id, carrier_id, command_status, answered_at
  FROM submission
  UNION ALL
  SELECT (p.chunk_id << 10) + e.place::bigint, p.chunk_id, 1::smallint, p.corporation_id, p.link_id, e.carrier_id, 0,
    p.at + e.delay::float8 * interval '1 ms'
  FROM answer_pack p CROSS JOIN LATERAL ROWS FROM (
    string_to_table(p.places, ','), string_to_table(p.delays, ','), string_to_table(p.carrier_ids, E'\x1f')
  ) AS e(place, delay, carrier_id);

CREATE VIEW delivered_row WITH (security_invoker) AS
  SELECT (p.chunk_id << 10) + e.place::bigint AS message_id, p.chunk_id, p.corporation_id, p.link_id, e.carrier_id,
    p.at + e.delay::float8 * interval '1 microsecond' AS received_at
  FROM receipt_pack p CROSS JOIN LATERAL ROWS FROM (
    string_to_table(p.places, ','), string_to_table(p.delays, ','), string_to_table(p.carrier_ids, E'\x1f')
  ) AS e(place, delay, carrier_id);

DROP VIEW receipt_row;
CREATE VIEW receipt_row WITH (security_invoker) AS
  SELECT received_at, link_id, carrier_id, message_id, message_id >> 10 AS chunk_id, part, state, error FROM receipt
  UNION ALL
  SELECT done_at, link_id, carrier_id, message_id, message_id >> 10, 1::smallint,
    receipt_state, coalesce(nullif(error_code, receipt_state), '')
  FROM outcome WHERE receipt IS NOT NULL
  UNION ALL
  SELECT received_at, link_id, carrier_id, message_id, chunk_id, 1::smallint, 'delivered', '' FROM delivered_row;

CREATE OR REPLACE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name, coalesce(m.text, k.common_text) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    state_of_message(end_of(flags_of(s.states, m.id & 1023)), m.id & 1023, k.cursor, k.state) AS state, o.error_code,
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

-- The octets as the rows of submissions and outcomes say: of what was recorded before there were any, and of rows that
-- are written by hand.
CREATE FUNCTION write_chunk_states(chunks bigint[]) RETURNS void LANGUAGE sql AS $$
  INSERT INTO chunk_state (chunk_id, corporation_id, states)
  SELECT k.id, k.corporation_id, string_agg(decode(lpad(to_hex(
      coalesce(array_position(ARRAY['delivered', 'expired', 'cancelled', 'failed_submit', 'failed_other', 'failed_internal',
        'failed_billing', 'blocked']::message_state[], o.state), 0)
      + CASE WHEN m.parts = 1 AND EXISTS (SELECT FROM submission s WHERE s.message_id = m.id) THEN 16 ELSE 0 END
    ), 2, '0'), 'hex'), '' ORDER BY m.id)
  FROM chunk k JOIN message m ON m.id >= k.id << 10 AND m.id < (k.id + 1) << 10 LEFT JOIN outcome o ON o.message_id = m.id
  WHERE chunks IS NULL OR k.id = ANY (chunks)
  GROUP BY k.id, k.corporation_id
  ON CONFLICT (chunk_id) DO UPDATE SET states = EXCLUDED.states;
$$;
SELECT write_chunk_states(NULL);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['chunk_state', 'answer_pack', 'receipt_pack'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO heliograph_api, heliograph_worker, heliograph_sender', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE ON chunk_state TO heliograph_worker, heliograph_sender;
GRANT SELECT ON submission_row, delivered_row, receipt_row TO heliograph_api, heliograph_worker, heliograph_sender;

CREATE OR REPLACE FUNCTION ensure_partitions(first_day date, last_day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  day date;
  number bigint;
  parent text;
  partition text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
  FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
    number := day - date '1970-01-01';
    FOREACH parent IN ARRAY ARRAY['message', 'submission', 'outcome', 'answer_pack', 'receipt_pack'] LOOP
      partition := parent || '_' || to_char(day, 'YYYYMMDD');
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)', partition, parent,
        number << CASE WHEN parent LIKE '%pack' THEN 28 ELSE 38 END,
        (number + 1) << CASE WHEN parent LIKE '%pack' THEN 28 ELSE 38 END);
      EXECUTE format('GRANT INSERT ON %I TO heliograph_worker%s', partition,
        CASE parent WHEN 'message' THEN '' ELSE ', heliograph_sender' END);
    END LOOP;
    partition := 'receipt_' || to_char(day, 'YYYYMMDD');
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF receipt FOR VALUES FROM (%L) TO (%L)',
      partition, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('GRANT INSERT ON %I TO heliograph_worker, heliograph_sender', partition);
  END LOOP;
END $$;
SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 7);
