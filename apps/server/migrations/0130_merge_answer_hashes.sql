-- The index of the answers' hashes takes new entries into a list first, and merges the list when it is full. Each search
-- reads the whole list. So a sender that is about to search many ids merges the lists of these days first.
CREATE FUNCTION merge_answer_hashes(first_day date, last_day date) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public AS $$
  SELECT gin_clean_pending_list(i.indexrelid)
  FROM generate_series(first_day, last_day, interval '1 day') AS day
  JOIN pg_index i ON i.indrelid = to_regclass('answer_pack_' || to_char(day, 'YYYYMMDD'))
  JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam AND a.amname = 'gin';
$$;
REVOKE EXECUTE ON FUNCTION merge_answer_hashes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION merge_answer_hashes TO heliograph_sender, heliograph_worker;
