-- A registration of a sender ID may hold for some networks only. An empty list stands for all.
ALTER TABLE sender_registration ADD COLUMN network_ids bigint[] NOT NULL DEFAULT '{}';

-- Entries are `corporation sender`; one that names networks has their ids after a tab, with commas between them.
CREATE OR REPLACE FUNCTION all_registrations() RETURNS TABLE (link_id bigint, registered text[])
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT k.id, coalesce(array_agg(s.corporation_id || ' ' || sender_written(s.sender_id)
      || CASE WHEN r.network_ids = '{}' THEN '' ELSE E'\t' || array_to_string(r.network_ids, ',') END)
    FILTER (WHERE s.id IS NOT NULL), '{}')
  FROM link k LEFT JOIN sender_registration r ON r.link_id = k.id AND r.state = 'registered'
    LEFT JOIN sender_id s ON s.id = r.sender_id_id
  WHERE k.asks_registration AND NOT k.for_tests GROUP BY k.id
$$;
