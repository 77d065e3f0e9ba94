-- A migration of its own, because the table is busy.
ALTER TABLE inbox_message ADD COLUMN parameters jsonb;
