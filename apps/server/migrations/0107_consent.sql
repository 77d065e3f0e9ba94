-- The ledger of consents. An event is never changed; one that somebody entered by mistake is only marked as retracted.
CREATE TABLE consent_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  number text NOT NULL,
  sender_id_id bigint REFERENCES sender_id, -- null for all senders of the corporation
  kind text NOT NULL DEFAULT 'opt_in' CHECK (kind IN ('opt_in', 'asked', 'opt_out')),
  source text NOT NULL DEFAULT 'person' CHECK (source IN ('form', 'keyword', 'import', 'api', 'person')),
  wording text, -- as the person saw it
  proof text, -- the person's message, the address of a form, or the statement of an import
  note text, -- a remark of colleagues, the only thing that they may change
  user_id bigint REFERENCES user_account ON DELETE SET NULL, -- who recorded it
  inbound_message_id bigint,
  opt_out_id bigint REFERENCES opt_out ON DELETE CASCADE,
  happened_at timestamptz NOT NULL DEFAULT now(),
  retracted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- The same entry twice on a day is a double click.
CREATE UNIQUE INDEX consent_event_key ON consent_event (corporation_id, number, coalesce(sender_id_id, 0), kind, source,
  md5(coalesce(wording, '') || E'\n' || coalesce(proof, '')), ((happened_at AT TIME ZONE 'UTC')::date))
  WHERE retracted_at IS NULL AND source IN ('form', 'person') AND opt_out_id IS NULL;
CREATE INDEX consent_event_number ON consent_event (corporation_id, number);
CREATE INDEX consent_event_user_id ON consent_event (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX consent_event_sender_id_id ON consent_event (sender_id_id) WHERE sender_id_id IS NOT NULL;
CREATE INDEX consent_event_opt_out_id ON consent_event (opt_out_id) WHERE opt_out_id IS NOT NULL;

-- The last word of each person, which follows from the events. Sender 0 stands for all senders.
CREATE TABLE consent (
  corporation_id bigint NOT NULL REFERENCES corporation,
  number text NOT NULL,
  sender bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('opt_in', 'asked', 'opt_out')),
  since timestamptz NOT NULL,
  PRIMARY KEY (corporation_id, number, sender)
);

CREATE FUNCTION keep_consent() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  -- One after another for a person: the state follows from all of their events.
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.corporation_id || ' ' || NEW.number, 98));
  DELETE FROM consent WHERE corporation_id = NEW.corporation_id AND number = NEW.number
    AND sender = coalesce(NEW.sender_id_id, 0);
  INSERT INTO consent (corporation_id, number, sender, state, since)
    SELECT corporation_id, number, coalesce(sender_id_id, 0), kind, happened_at FROM consent_event
    WHERE corporation_id = NEW.corporation_id AND number = NEW.number AND retracted_at IS NULL
      AND coalesce(sender_id_id, 0) = coalesce(NEW.sender_id_id, 0)
    ORDER BY happened_at DESC, id DESC LIMIT 1;
  RETURN NULL;
END $$;
CREATE TRIGGER consent_follows AFTER INSERT OR UPDATE OF retracted_at ON consent_event
  FOR EACH ROW EXECUTE FUNCTION keep_consent();

-- Opt-outs and their ends are events too. One that was entered by mistake and removed is retracted.
CREATE FUNCTION keep_opt_out_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO consent_event (corporation_id, number, kind, source, proof, user_id, inbound_message_id, opt_out_id, happened_at)
    VALUES (NEW.corporation_id, NEW.number, 'opt_out', CASE NEW.source WHEN 'message' THEN 'keyword' ELSE NEW.source END,
      coalesce(NEW.message, NEW.note), NEW.user_id, NEW.inbound_message_id, NEW.id, NEW.opted_out_at);
  ELSIF NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL THEN
    IF NEW.ended_inbound_message_id IS NULL THEN
      UPDATE consent_event SET retracted_at = NEW.ended_at WHERE opt_out_id = NEW.id AND kind = 'opt_out';
    ELSE
      INSERT INTO consent_event (corporation_id, number, kind, source, proof, inbound_message_id, opt_out_id, happened_at)
      VALUES (NEW.corporation_id, NEW.number, 'opt_in', 'keyword', NEW.ended_message, NEW.ended_inbound_message_id, NEW.id, NEW.ended_at);
    END IF;
  END IF;
  RETURN NULL;
END $$;
INSERT INTO consent_event (corporation_id, number, kind, source, proof, user_id, inbound_message_id, opt_out_id, happened_at, retracted_at)
  SELECT corporation_id, number, 'opt_out', CASE source WHEN 'message' THEN 'keyword' ELSE source END, coalesce(message, note),
    user_id, inbound_message_id, id, opted_out_at, CASE WHEN ended_inbound_message_id IS NULL THEN ended_at END
  FROM opt_out ORDER BY opted_out_at, id;
INSERT INTO consent_event (corporation_id, number, kind, source, proof, inbound_message_id, opt_out_id, happened_at)
  SELECT corporation_id, number, 'opt_in', 'keyword', ended_message, ended_inbound_message_id, id, ended_at
  FROM opt_out WHERE ended_inbound_message_id IS NOT NULL ORDER BY ended_at, id;
CREATE TRIGGER opt_out_is_event AFTER INSERT OR UPDATE OF ended_at ON opt_out
  FOR EACH ROW EXECUTE FUNCTION keep_opt_out_event();

CREATE VIEW consent_row WITH (security_invoker) AS
  SELECT e.*, c.name AS corporation_name, s.sender_id AS sender_id_name, u.name AS user_name
  FROM consent_event e JOIN corporation c ON c.id = e.corporation_id LEFT JOIN sender_id s ON s.id = e.sender_id_id
  LEFT JOIN user_account u ON u.id = e.user_id WHERE e.retracted_at IS NULL;

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['consent_event', 'consent'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE (retracted_at, note) ON consent_event TO heliograph_api;
GRANT SELECT ON consent_row TO heliograph_api;
GRANT SELECT, INSERT ON consent_event TO heliograph_worker;
GRANT SELECT ON consent TO heliograph_api, heliograph_worker, heliograph_intake;
