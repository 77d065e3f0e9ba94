-- Transactions that recorded the answers, in step with the places, in packs that were joined when their day was closed;
-- null: the transaction of the row itself.
ALTER TABLE answer_pack ADD COLUMN recorded_by text;
