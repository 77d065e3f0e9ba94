-- Marks that differ once an article's texts were changed, so that two people who edit it do not overwrite each other.
CREATE OR REPLACE VIEW article_row WITH (security_invoker) AS
  WITH RECURSIVE placed AS (
    SELECT id, 0 AS depth FROM article WHERE parent_id IS NULL
    UNION ALL
    SELECT a.id, p.depth + 1 FROM article a JOIN placed p ON p.id = a.parent_id
  )
  SELECT a.id, a.key, a.parent_id, a.position, a.is_parent, a.permission_id, a.title, a.edited, a.created_at,
    a.updated_at, placed.depth, a.key IS NOT NULL AS built_in, parent.title AS parent_title, p.name AS permission_name,
    ARRAY(SELECT t.locale FROM article_translation t WHERE t.article_id = a.id ORDER BY t.locale) AS locales,
    md5(a.description) AS description_mark,
    (SELECT md5(string_agg(concat_ws(E'\n', t.locale, t.title, t.description), E'\f' ORDER BY t.locale))
      FROM article_translation t WHERE t.article_id = a.id) AS translations_mark
  FROM article a JOIN placed USING (id) LEFT JOIN article parent ON parent.id = a.parent_id
  LEFT JOIN permission p ON p.id = a.permission_id;
