-- Urgent retries are claimed on their own, however many bulk retries wait on the same link.
CREATE INDEX retry_due_by_class ON retry (link_id, class, not_before);
DROP INDEX retry_due;
