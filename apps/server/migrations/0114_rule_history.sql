-- What rules of sending said, and when: a row for each time that a rule was written. Nothing is written for messages;
-- a message is explained by the rows of its time.
CREATE TABLE rule_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  rule text NOT NULL CHECK (rule IN ('sending_hours', 'sending_limit', 'web_domain', 'web_links')),
  rule_id bigint NOT NULL, -- without a reference: rules may be deleted. Of web_links: the corporation; 0 is the setting for all
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null: for all
  said jsonb NOT NULL,
  starts_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz -- null: still in force
);
CREATE UNIQUE INDEX rule_version_in_force ON rule_version (rule, rule_id) WHERE ends_at IS NULL;
CREATE INDEX rule_version_corporation_id ON rule_version (corporation_id) WHERE corporation_id IS NOT NULL;

ALTER TABLE rule_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE rule_version FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON rule_version FOR SELECT TO heliograph_api USING (corporation_id IS NULL
  OR (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
-- A limit of one person or key is not for their colleagues.
CREATE POLICY caller_sees ON rule_version AS RESTRICTIVE TO heliograph_api USING (
  NOT (SELECT scope_is_user()) OR coalesce(said->>'user_id', said->>'api_key_id') IS NULL);
CREATE POLICY inside ON rule_version TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON rule_version TO heliograph_api, heliograph_worker;

CREATE FUNCTION keep_rule_version(kind text, of_rule bigint, of_corporation bigint, now_says jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  UPDATE rule_version SET ends_at = now() WHERE rule = kind AND rule_id = of_rule AND ends_at IS NULL;
  INSERT INTO rule_version (rule, rule_id, corporation_id, said)
    SELECT kind, of_rule, of_corporation, now_says WHERE now_says IS NOT NULL;
$$;
REVOKE EXECUTE ON FUNCTION keep_rule_version FROM PUBLIC;

CREATE FUNCTION rule_was_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  says jsonb := to_jsonb(NEW);
BEGIN
  IF TG_OP = 'UPDATE' AND was = says THEN RETURN NULL; END IF;
  -- Texts name their sender ID, which may be deleted later.
  IF says ? 'sender_id_id' THEN
    says := says || jsonb_build_object('sender_id_name',
      (SELECT sender_id FROM sender_id WHERE id = (says->>'sender_id_id')::bigint));
  END IF;
  PERFORM keep_rule_version(TG_TABLE_NAME, (coalesce(was, says)->>'id')::bigint,
    (coalesce(was, says)->>'corporation_id')::bigint, says);
  RETURN NULL;
END $$;
CREATE TRIGGER rule_was_written AFTER INSERT OR UPDATE OR DELETE ON sending_hours
  FOR EACH ROW EXECUTE FUNCTION rule_was_written();
CREATE TRIGGER rule_was_written AFTER INSERT OR UPDATE OR DELETE ON sending_limit
  FOR EACH ROW EXECUTE FUNCTION rule_was_written();
CREATE TRIGGER rule_was_written AFTER INSERT OR UPDATE OR DELETE ON web_domain
  FOR EACH ROW EXECUTE FUNCTION rule_was_written();

CREATE FUNCTION web_links_were_set() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM keep_rule_version('web_links', 0, NULL, jsonb_build_object('mode', NEW.value));
  RETURN NULL;
END $$;
CREATE TRIGGER web_links_were_set AFTER INSERT OR UPDATE OF value ON global_configuration
  FOR EACH ROW WHEN (NEW.key = 'web_links') EXECUTE FUNCTION web_links_were_set();

-- The history begins with what the rules say now.
INSERT INTO rule_version (rule, rule_id, said) SELECT 'sending_hours', id, to_jsonb(r) FROM sending_hours r;
INSERT INTO rule_version (rule, rule_id, corporation_id, said)
  SELECT 'sending_limit', r.id, r.corporation_id, to_jsonb(r) || jsonb_build_object('sender_id_name', s.sender_id)
  FROM sending_limit r LEFT JOIN sender_id s ON s.id = r.sender_id_id;
INSERT INTO rule_version (rule, rule_id, corporation_id, said)
  SELECT 'web_domain', r.id, r.corporation_id, to_jsonb(r) || jsonb_build_object('sender_id_name', s.sender_id)
  FROM web_domain r LEFT JOIN sender_id s ON s.id = r.sender_id_id;
INSERT INTO rule_version (rule, rule_id, said)
  SELECT 'web_links', 0, jsonb_build_object('mode', value) FROM global_configuration WHERE key = 'web_links';
