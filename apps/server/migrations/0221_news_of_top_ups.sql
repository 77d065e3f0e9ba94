-- News of a top-up that its people were told, each once.
ALTER TABLE top_up ADD COLUMN told text[] NOT NULL DEFAULT '{}';
