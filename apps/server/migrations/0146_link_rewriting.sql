-- Parameters that a carrier asks for besides those of SMPP, and rules by which a link rewrites what it sends.
ALTER TABLE link
  ADD COLUMN parameters text[] NOT NULL DEFAULT '{}', -- name=TAG:type:value
  ADD COLUMN number_rules text[] NOT NULL DEFAULT '{}', -- FROM=TO, the first that fits
  ADD COLUMN sender_rules text[] NOT NULL DEFAULT '{}', -- SENDER@NETWORK=NEW
  ADD COLUMN text_rules text[] NOT NULL DEFAULT '{}';

-- Values of parameters for all messages of a sender ID, as name=value.
ALTER TABLE sender_id ADD COLUMN parameters text[] NOT NULL DEFAULT '{}';
CREATE INDEX sender_id_parameters ON sender_id (corporation_id, sender_id) WHERE parameters <> '{}';

-- Values for a chunk: those of its sender ID, replaced by those that its campaign or its program gave. Null for none.
CREATE FUNCTION message_parameters(of_corporation bigint, of_sender text, given jsonb) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT nullif(coalesce((
    SELECT jsonb_object_agg(split_part(line, '=', 1), substr(line, strpos(line, '=') + 1))
    FROM sender_id s CROSS JOIN unnest(s.parameters) line
    WHERE s.corporation_id = of_corporation AND s.sender_id = of_sender AND s.parameters <> '{}'
  ), '{}') || coalesce(given, '{}'), '{}')
$$;
REVOKE EXECUTE ON FUNCTION message_parameters(bigint, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION message_parameters(bigint, text, jsonb)
  TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;

-- Names, tags and types of the parameters that links know, without their values: customers' values are checked by them.
CREATE FUNCTION known_parameters() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT substring(line from '^[^:]*:[^:]*') FROM link CROSS JOIN unnest(parameters) WITH ORDINALITY AS l(line, nth)
  ORDER BY link.id, nth
$$;
REVOKE EXECUTE ON FUNCTION known_parameters() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION known_parameters() TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;

-- Whether campaigns and programs of a corporation may give values. The platform or its reseller decides.
ALTER TABLE corporation ADD COLUMN gives_parameters boolean NOT NULL DEFAULT false;
GRANT SELECT (gives_parameters) ON corporation TO heliograph_intake;
