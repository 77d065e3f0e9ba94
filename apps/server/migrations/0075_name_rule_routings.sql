-- One keyword, whatever its case, width or composition.
DROP INDEX routing_number_keyword_key;
SELECT part_names('routing', 'keyword', 'routings', 'number, CASE WHEN withheld THEN id END', 40, '-%s');
CREATE UNIQUE INDEX routing_number_keyword_key ON routing (number, name_key(keyword)) NULLS NOT DISTINCT WHERE NOT withheld;

CREATE OR REPLACE FUNCTION routing_words(number text)
RETURNS TABLE (id bigint, corporation_id bigint, keyword text, holds boolean, aliases text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT r.id, r.corporation_id, r.keyword, number_holder(r.number) IS NOT DISTINCT FROM r.corporation_id,
    ARRAY(SELECT w.word FROM alias_word w JOIN alias a ON a.id = w.alias_id AND a.enabled
      WHERE w.corporation_id = r.corporation_id AND name_key(a.word) = name_key(r.keyword))
  FROM routing r WHERE r.number = routing_words.number AND r.enabled AND NOT r.withheld ORDER BY r.id;
$$;

DROP FUNCTION part_names(regclass, text, text, text, integer, text);
