-- How a file is read: what a person chose, what was read in the end, and the values of the sentence that says why not.
ALTER TABLE import
  ADD COLUMN reading jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN read_as jsonb,
  ADD COLUMN error_params jsonb NOT NULL DEFAULT '{}';
ALTER TABLE bulk_upload
  ADD COLUMN reading jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN read_as jsonb,
  ADD COLUMN error_params jsonb NOT NULL DEFAULT '{}';
ALTER TABLE card_upload
  ADD COLUMN reading jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN read_as jsonb,
  ADD COLUMN error_params jsonb NOT NULL DEFAULT '{}';
ALTER TABLE upload ADD COLUMN reading jsonb NOT NULL DEFAULT '{}', ADD COLUMN read_as jsonb;
