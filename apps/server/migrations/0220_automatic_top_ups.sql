-- Automatic top-ups: consent of a customer to charge a card that the provider keeps, when an account can spend less than a
-- threshold. An ended one stays as the proof of the consent.
CREATE TABLE automatic_top_up (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  merchant_account_id bigint NOT NULL REFERENCES merchant_account,
  method_name text NOT NULL, -- customers do not see the accounts of their seller
  -- `waiting`: the first payment, with which the card is kept, has not arrived. `stopped`: the person must agree again.
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'on', 'stopped', 'ended')),
  stop_reason text CHECK (stop_reason IN ('declined', 'terms_changed')),
  -- Thousandths of the account's currency, and the minutes between the begins of two charges.
  threshold bigint NOT NULL CHECK (threshold > 0),
  amount bigint NOT NULL CHECK (amount > 0),
  total bigint NOT NULL CHECK (total >= amount), -- with the fee, as consented
  day_limit bigint NOT NULL,
  month_limit bigint NOT NULL,
  minutes_between integer NOT NULL CHECK (minutes_between BETWEEN 15 AND 43200),
  consent_text text NOT NULL CHECK (length(consent_text) <= 2000), -- as the person read it
  consented_at timestamptz NOT NULL,
  user_id bigint NOT NULL, -- the person who consented
  -- Names of the card at the provider; without the secret key they are of no use.
  card_customer text,
  card_method text,
  card_label text,
  declines integer NOT NULL DEFAULT 0, -- without a success since
  next_at timestamptz NOT NULL DEFAULT now(), -- no charge begins before
  ended_at timestamptz,
  ended_by bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (day_limit >= amount AND month_limit >= day_limit),
  CHECK ((state = 'ended') = (ended_at IS NOT NULL)),
  CHECK ((state = 'stopped') = (stop_reason IS NOT NULL)),
  CHECK (state <> 'on' OR card_method IS NOT NULL)
);
CREATE UNIQUE INDEX automatic_top_up_open ON automatic_top_up (billing_account_id) WHERE state <> 'ended';
CREATE INDEX automatic_top_up_on ON automatic_top_up (next_at) WHERE state = 'on';
CREATE INDEX automatic_top_up_corporation_id ON automatic_top_up (corporation_id);
CREATE INDEX automatic_top_up_merchant_account_id ON automatic_top_up (merchant_account_id);

-- The first payment with a card, and each charge. At most one charge of an account is under way.
ALTER TABLE top_up ADD COLUMN automatic_top_up_id bigint REFERENCES automatic_top_up;
CREATE INDEX top_up_automatic_top_up_id ON top_up (automatic_top_up_id, created_at) WHERE automatic_top_up_id IS NOT NULL;
CREATE UNIQUE INDEX top_up_one_charge ON top_up (billing_account_id) WHERE automatic AND state IN ('created', 'awaiting_payment');

ALTER TABLE automatic_top_up ENABLE ROW LEVEL SECURITY;
ALTER TABLE automatic_top_up FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON automatic_top_up TO heliograph_api USING (
  ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))
  AND (NOT (SELECT scope_is_user()) OR user_id = (SELECT scope_user())));
CREATE POLICY inside ON automatic_top_up TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON automatic_top_up TO heliograph_api;
GRANT SELECT, UPDATE ON automatic_top_up TO heliograph_worker;
