-- One name, whatever its case, blanks, width or composition.
ALTER TABLE article DROP CONSTRAINT article_parent_id_title_key;
SELECT part_names('article', 'title', 'articles', 'parent_id', 200);
CREATE UNIQUE INDEX article_parent_id_title_key ON article (parent_id, name_key(title)) NULLS NOT DISTINCT;
