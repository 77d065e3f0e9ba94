-- A corporation's own mode is a rule with a history too.
CREATE FUNCTION web_links_were_chosen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  PERFORM keep_rule_version('web_links', NEW.id, NEW.id,
    CASE WHEN NEW.web_links IS NOT NULL THEN jsonb_build_object('mode', NEW.web_links) END);
  RETURN NULL;
END $$;
CREATE TRIGGER web_links_were_chosen AFTER UPDATE OF web_links ON corporation
  FOR EACH ROW WHEN (OLD.web_links IS DISTINCT FROM NEW.web_links) EXECUTE FUNCTION web_links_were_chosen();
CREATE TRIGGER web_links_were_chosen_first AFTER INSERT ON corporation
  FOR EACH ROW WHEN (NEW.web_links IS NOT NULL) EXECUTE FUNCTION web_links_were_chosen();
INSERT INTO rule_version (rule, rule_id, corporation_id, said)
  SELECT 'web_links', id, id, jsonb_build_object('mode', web_links) FROM corporation WHERE web_links IS NOT NULL;
