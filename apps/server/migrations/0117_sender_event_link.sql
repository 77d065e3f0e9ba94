-- Link of an entry about a registration, by its name: links are deleted too.
ALTER TABLE sender_event ADD COLUMN link_name text;
