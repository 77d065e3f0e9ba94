-- Refunds and chargebacks that a person records, because no provider reports them: another person approves each, and a reason
-- undoes it.
-- contract: demanded: constraint top_up_return.top_up_return_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'pending'::text, 'done'::text, 'failed'::text, 'open'::text, 'lost'::text, 'won'::text, 'requested'::text, 'rejected'::text, 'reversed'::text]))) NOT VALID
ALTER TABLE top_up_return DROP CONSTRAINT top_up_return_state_check;
ALTER TABLE top_up_return ADD CONSTRAINT top_up_return_state_check CHECK (state IN
  ('asked', 'pending', 'done', 'failed', 'open', 'lost', 'won', 'requested', 'rejected', 'reversed')) NOT VALID;
ALTER TABLE top_up_return ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
  ADD COLUMN decided_by bigint, -- approved or rejected it
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN reversed_by bigint,
  ADD COLUMN reversed_at timestamptz,
  ADD COLUMN decision_note text CHECK (length(decision_note) <= 200), -- why it was rejected or reversed
  ADD CONSTRAINT top_up_return_two_people CHECK (NOT by_hand OR state IN ('requested', 'rejected')
    OR (user_id IS NOT NULL AND decided_by IS NOT NULL AND decided_by <> user_id));
