-- One name, whatever its case, blanks, width or composition. The program before names the old constraint where it writes.
-- contract: demanded: unique index saved_view.saved_view_name_once
ALTER TABLE saved_view DROP CONSTRAINT saved_view_user_id_list_name_key;
SELECT part_names('saved_view', 'name', 'saved-views', 'user_id, list', 60);
ALTER TABLE saved_view ADD CONSTRAINT saved_view_user_id_list_name_key UNIQUE (user_id, list, name);
CREATE UNIQUE INDEX saved_view_name_once ON saved_view (user_id, list, name_key(name));
