-- One word, whatever its case, width or composition.
DROP INDEX alias_corporation_id_word_key;
SELECT part_names('alias', 'word', 'aliases', 'corporation_id', 127, '-%s');
CREATE UNIQUE INDEX alias_corporation_id_word_key ON alias (corporation_id, name_key(word));

-- Words are kept as they are compared. Of two aliases that are the same word by the new rule, the older record's counts.
CREATE OR REPLACE FUNCTION keep_alias_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM alias_word WHERE alias_id = NEW.id;
  INSERT INTO alias_word (corporation_id, word, alias_id)
    SELECT DISTINCT NEW.corporation_id, name_key(w), NEW.id FROM unnest(NEW.aliases || NEW.word) AS w;
  RETURN NULL;
END $$;
DELETE FROM alias_word;
INSERT INTO alias_word (corporation_id, word, alias_id)
  SELECT DISTINCT ON (a.corporation_id, name_key(w)) a.corporation_id, name_key(w), a.id
  FROM alias a, unnest(a.aliases || a.word) AS w ORDER BY a.corporation_id, name_key(w), name_key(w) <> name_key(a.word), a.id;
