-- One name, whatever its case, blanks, width or composition.
DROP INDEX blacklist_text_text_key;
SELECT part_names('blacklist_text', 'text', 'blacklist-text', 'NULL', 200);
CREATE UNIQUE INDEX blacklist_text_text_key ON blacklist_text (name_key(text));
