-- As in answer_pack.
ALTER TABLE receipt_pack ADD COLUMN recorded_by text;
