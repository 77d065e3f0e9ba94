-- A campaign is paused while payments of its account are overdue.
-- contract: demanded: constraint campaign.campaign_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['person'::text, 'blackout'::text, 'canary'::text, 'switched_off'::text, 'sender'::text, 'moderation'::text, 'unpaid'::text]))) NOT VALID
ALTER TABLE campaign DROP CONSTRAINT campaign_pause_reason_check;
ALTER TABLE campaign ADD CONSTRAINT campaign_pause_reason_check
  CHECK (pause_reason IN ('person', 'blackout', 'canary', 'switched_off', 'sender', 'moderation', 'unpaid')) NOT VALID;
