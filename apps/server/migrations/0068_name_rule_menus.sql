-- One name, whatever its case, blanks, width or composition.
ALTER TABLE menu DROP CONSTRAINT menu_parent_id_title_key;
SELECT part_names('menu', 'title', 'menus', 'parent_id', 60);
CREATE UNIQUE INDEX menu_parent_id_title_key ON menu (parent_id, name_key(title)) NULLS NOT DISTINCT;
