-- A message's state where no outcome decided it: it was handed over, or waits in its chunk, or ended with it.
CREATE FUNCTION state_of_message(outcome message_state, place bigint, chunk_cursor integer, chunk_state text)
RETURNS message_state LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(outcome, CASE
  WHEN place < chunk_cursor THEN 'submitted'
  WHEN chunk_state = 'cancelled' THEN 'cancelled'
  WHEN chunk_state = 'expired' THEN 'expired'
  ELSE 'pending' END::message_state);

-- What a message was charged, in thousandths, by the rule of the ledger's settlements: each part the carrier accepted;
-- all parts once delivered where the account is charged on delivery. So reports add up to the ledger.
CREATE FUNCTION charge_of_message(charge_on_delivery boolean, unit_price bigint, parts smallint, outcome message_state, accepted bigint)
RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN unit_price * CASE
  WHEN NOT charge_on_delivery THEN accepted
  WHEN outcome = 'delivered' THEN parts
  ELSE 0 END;

CREATE OR REPLACE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name, coalesce(m.text, k.common_text) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    state_of_message(o.state, m.id & 1023, k.cursor, k.state) AS state, o.error_code, o.done_at,
    charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, o.state, (
      SELECT count(*) FROM submission s WHERE s.message_id = m.id AND s.command_status = 0)) AS charge
  FROM message m
  JOIN chunk k ON k.id = m.id >> 10
  LEFT JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN outcome o ON o.message_id = m.id;

-- A spreadsheet runs a cell that starts so as a formula; behind an apostrophe it stays text.
CREATE FUNCTION spreadsheet_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN left(value, 1) = ANY (ARRAY['=', '+', '-', '@', chr(9), chr(10), chr(13), '＝', '＋', '－', '＠', '|', '%'])
  THEN '''' || value ELSE value END;

-- Reports begin with the chunks, or the hours, of one corporation.
CREATE INDEX chunk_corporation_id ON chunk (corporation_id, id);
CREATE INDEX traffic_hour_corporation_id ON traffic_hour (corporation_id, hour);
CREATE INDEX download_created_at ON download (created_at);
