-- A migration of its own: the watch of alarms reads many tables beside it.
ALTER TABLE alarm DROP CONSTRAINT alarm_condition_check;
ALTER TABLE alarm ADD CONSTRAINT alarm_condition_check
  CHECK (condition IN ('link_down', 'queue_delayed', 'node_gone', 'disk_low', 'quality_declined', 'receipts_false',
    'margin_negative', 'delivery_late'));
