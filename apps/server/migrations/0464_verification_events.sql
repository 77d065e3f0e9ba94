-- Programs are told how verifications end. The wider check refuses nothing that the program before writes:
-- contract: demanded: constraint event.event_type_check CHECK ((type = ANY (ARRAY['message.delivered'::text, 'message.failed'::text, 'message.expired'::text, 'message.corrected'::text, 'message.received'::text, 'campaign.finished'::text, 'balance.low'::text, 'payment.received'::text, 'invoice.issued'::text, 'link.clicked'::text, 'journey.step'::text, 'verification.approved'::text, 'verification.failed'::text, 'verification.expired'::text]))) NOT VALID
ALTER TABLE event DROP CONSTRAINT event_type_check;
ALTER TABLE event ADD CONSTRAINT event_type_check CHECK (type IN ('message.delivered', 'message.failed', 'message.expired', 'message.corrected', 'message.received',
  'campaign.finished', 'balance.low', 'payment.received', 'invoice.issued', 'link.clicked', 'journey.step',
  'verification.approved', 'verification.failed', 'verification.expired')) NOT VALID;

-- Verifications whose time is not over yet, in the order in which it ends.
CREATE INDEX verification_open ON verification (expires_at) WHERE state = 'pending' AND done_at IS NULL;
