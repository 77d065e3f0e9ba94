-- What a carrier says of a message after its end is an event of its own kind.
ALTER TABLE event DROP CONSTRAINT event_type_check;
ALTER TABLE event ADD CONSTRAINT event_type_check CHECK (type IN ('message.delivered', 'message.failed', 'message.expired',
  'message.corrected', 'message.received', 'campaign.finished', 'balance.low')) NOT VALID;
