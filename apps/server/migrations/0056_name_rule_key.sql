-- Two names are the same where they differ in case, blanks, width or the way their letters are composed alone. The same rule
-- is in packages/contract/src/kernel/name-key.ts. It depends on no locale of the database. Each table that is held to it has
-- a migration of its own, so that no two of them are locked together.
CREATE FUNCTION name_key(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN normalize(casefold(btrim(regexp_replace(
  regexp_replace(normalize(name, NFKC) COLLATE "pg_unicode_fast",
    '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]', '', 'g'),
  '\s+', ' ', 'g'))), NFKC);


-- Parts records that have the same name by this rule already: the program's own, else the oldest, keeps it, and the others get a
-- number behind it, which the activity log tells. `scope` is within what a name is unique; a name has at most `most` characters.
CREATE FUNCTION part_names(tab regclass, col text, record text, scope text, most integer, suffix text DEFAULT ' (%s)')
RETURNS void LANGUAGE plpgsql AS $$
DECLARE found boolean;
BEGIN
  EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tab);
  -- A name with a number may be taken too: from the second time on the number is the record's id.
  FOR turn IN 1 .. 5 LOOP
    EXECUTE format($sql$
      WITH twin AS (
        SELECT id, %1$I AS before, CASE WHEN %7$s = 1 THEN place ELSE id END AS number FROM (
          SELECT id, %1$I, row_number() OVER (PARTITION BY %2$s, name_key(%1$I)
            ORDER BY to_jsonb(t) ->> 'built_in' = 'true' DESC NULLS LAST, to_jsonb(t) ->> 'key' IS NULL, id) AS place
          FROM %3$s t WHERE %1$I IS NOT NULL) named
        WHERE place > 1
      ), renamed AS (
        UPDATE %3$s t SET %1$I = left(btrim(t.%1$I), %4$s - length(format(%5$L, twin.number))) || format(%5$L, twin.number)
        FROM twin WHERE twin.id = t.id RETURNING t.id, twin.before, t.%1$I AS after
      ), logged AS (
        INSERT INTO activity_log (name, description, subject_type, subject_id, causer_type, properties)
        SELECT %6$L, 'renamed', %6$L, id, 'system',
          jsonb_build_object('before', jsonb_build_object(%1$L, before), 'after', jsonb_build_object(%1$L, after))
        FROM renamed ORDER BY id RETURNING id
      ) SELECT EXISTS (SELECT FROM logged) $sql$, col, scope, tab, most, suffix, record, turn) INTO found;
    EXIT WHEN NOT found;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION part_names(regclass, text, text, text, integer, text) FROM PUBLIC;
