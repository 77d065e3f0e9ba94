-- Calls to the addresses of routings are found in their own table: `next_at` says when one is due, and while one is under way,
-- when it is taken up again should its worker have died.

UPDATE routing_call SET next_at = now() WHERE state = 'waiting' AND next_at IS NULL;
CREATE INDEX routing_call_due ON routing_call (routing_id, next_at) WHERE state = 'waiting';

-- Calls that ended are forgotten after a while, with their tries.
GRANT DELETE ON routing_call TO heliograph_worker;
