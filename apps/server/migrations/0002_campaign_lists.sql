-- The same file counts once for a list, unless reading it failed.
CREATE UNIQUE INDEX import_number_list_id_file_sha256 ON import (number_list_id, file_sha256) WHERE state <> 'failed';

-- A page of campaigns and their number are read from the index alone: whatever row level security asks for is in it.
CREATE INDEX campaign_visible ON campaign (corporation_id, id) INCLUDE (department_id, created_by, state);
