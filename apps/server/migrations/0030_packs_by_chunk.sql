-- Answers are searched by the hashes of their ids, within days. An index of chunks in order looked cheaper to the planner
-- than that of the hashes, and had every pack of the day read for each batch of late receipts. One of hashes serves what
-- it is for, the packs of one chunk, and no range.
DROP INDEX answer_pack_chunk_id;
CREATE INDEX answer_pack_chunk_id ON answer_pack USING hash (chunk_id);
