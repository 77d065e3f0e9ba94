-- Reads both tables without a lock that writers would wait for, so that they can become partitions in a moment.
ALTER TABLE callback VALIDATE CONSTRAINT callback_kind;
ALTER TABLE routing_call VALIDATE CONSTRAINT routing_call_kind;
-- The planner knows nothing of a new column before.
ANALYZE callback;
ANALYZE routing_call;
