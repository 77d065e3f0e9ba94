-- Entries of the history that people were notified of.
ALTER TABLE sender_event ADD COLUMN told boolean NOT NULL DEFAULT false;
CREATE INDEX sender_event_untold ON sender_event (id) WHERE NOT told;
GRANT UPDATE (told) ON sender_event TO heliograph_worker;
