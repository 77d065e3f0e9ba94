-- When the people of a customer were told that a stream's destination takes nothing; those of the platform have an alarm.
ALTER TABLE audit_stream ADD COLUMN told_at timestamptz;
