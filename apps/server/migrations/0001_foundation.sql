-- Roles of the processes. They own nothing and bypass nothing; row level security speaks to them.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['heliograph_api', 'heliograph_auth', 'heliograph_worker', 'heliograph_sender'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', name);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- roles belong to the cluster, not to this database
    END;
    -- Who creates a role administers it, but may not yet become it.
    IF NOT pg_has_role(current_user, name, 'SET') THEN EXECUTE format('GRANT %I TO CURRENT_USER', name); END IF;
  END LOOP;
END $$;

-- What the caller may see, set by the request's transaction with set_config(…, true). Unset means nothing.
CREATE FUNCTION scope_is_platform() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('app.level', true) IN ('0', '1'), false);
CREATE FUNCTION scope_corporations() RETURNS bigint[] LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(nullif(current_setting('app.corporations', true), ''), '{}')::bigint[];
CREATE FUNCTION scope_department() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.department', true), '')::bigint;
CREATE FUNCTION scope_user() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user', true), '')::bigint;
CREATE FUNCTION scope_is_corporation() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('app.level', true) = '2', false);
CREATE FUNCTION scope_is_user() RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE
  RETURN coalesce(current_setting('app.level', true) = '4', false);

-- Organizations -----------------------------------------------------------------------------------------------------

CREATE TABLE corporation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT corporation_name_key UNIQUE,
  currency text NOT NULL DEFAULT 'PHP',
  timezone text NOT NULL DEFAULT 'Asia/Manila',
  callback_url text,
  sales_code text,
  is_reseller boolean NOT NULL DEFAULT false,
  reseller_id bigint REFERENCES corporation,
  throughput integer CHECK (throughput > 0),
  api_throughput integer CHECK (api_throughput > 0),
  campaign_alerts boolean NOT NULL DEFAULT false,
  opt_out_message text,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (reseller_id <> id)
);
CREATE INDEX corporation_reseller_id ON corporation (reseller_id) WHERE reseller_id IS NOT NULL;

CREATE TABLE department (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  name text NOT NULL,
  callback_url text,
  signature text,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT department_corporation_id_name_key UNIQUE (corporation_id, name)
);

-- Money: every amount is a bigint in thousandths of the currency unit ------------------------------------------------

CREATE TABLE price_plan (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- the reseller whose plan it is; null for the platform's
  name text NOT NULL,
  description text,
  type text NOT NULL CHECK (type IN ('prepaid_package', 'prepaid_monthly', 'postpaid_special')),
  default_charge bigint NOT NULL CHECK (default_charge >= 0),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT price_plan_corporation_id_name_key UNIQUE NULLS NOT DISTINCT (corporation_id, name)
);

CREATE TABLE billing_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  name text NOT NULL,
  key text NOT NULL CONSTRAINT billing_account_key_key UNIQUE,
  price_plan_id bigint NOT NULL REFERENCES price_plan,
  sms_validity integer NOT NULL DEFAULT 12 CHECK (sms_validity BETWEEN 1 AND 12),
  charge_on_delivery boolean NOT NULL DEFAULT false,
  flash_allowed boolean NOT NULL DEFAULT true,
  content_visible boolean NOT NULL DEFAULT true,
  enabled boolean NOT NULL DEFAULT true,
  suspended boolean NOT NULL DEFAULT false,
  cost_warning_limit bigint CHECK (cost_warning_limit >= 0),
  credit_limit bigint NOT NULL DEFAULT 0 CHECK (credit_limit >= 0),
  monthly_plan boolean NOT NULL DEFAULT false,
  monthly_commitment bigint NOT NULL DEFAULT 0 CHECK (monthly_commitment >= 0),
  -- Kept by the ledger in the transaction of each transfer: balance = payments − charges − reserved.
  credit_balance bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0 CHECK (reserved >= 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT billing_account_corporation_id_name_key UNIQUE (corporation_id, name),
  CHECK (cost_warning_limit IS NULL OR credit_limit = 0 OR cost_warning_limit < credit_limit)
) WITH (fillfactor = 50);

-- One row a transfer; its key is derived from what caused it, so that a replay is refused by the index.
CREATE TABLE ledger_transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text NOT NULL CONSTRAINT ledger_transfer_key_key UNIQUE,
  corporation_id bigint NOT NULL REFERENCES corporation,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  kind text NOT NULL CHECK (kind IN ('payment', 'reservation', 'charge', 'release', 'refund', 'commitment', 'correction')),
  amount bigint NOT NULL CHECK (amount <> 0),
  balance_after bigint NOT NULL,
  campaign_id bigint,
  user_id bigint,
  note text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ledger_transfer_billing_account_id ON ledger_transfer (billing_account_id, id);

-- Double entry: the entries of a transfer add up to nothing. Accounts are named by book.
CREATE TABLE ledger_entry (
  transfer_id bigint NOT NULL REFERENCES ledger_transfer,
  corporation_id bigint NOT NULL,
  billing_account_id bigint NOT NULL,
  book text NOT NULL CHECK (book IN ('cash', 'credit', 'reserved', 'revenue')),
  amount bigint NOT NULL CHECK (amount <> 0),
  PRIMARY KEY (transfer_id, book)
);
CREATE INDEX ledger_entry_billing_account_id ON ledger_entry (billing_account_id, book);

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only: corrections are new transfers';
END $$;
CREATE TRIGGER ledger_transfer_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfer
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

CREATE FUNCTION ledger_transfer_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT coalesce(sum(amount), 1) FROM ledger_entry WHERE transfer_id = NEW.id) <> 0 THEN
    RAISE EXCEPTION 'ledger transfer % does not balance', NEW.key;
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER ledger_transfer_balances AFTER INSERT ON ledger_transfer
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balances();

-- People and rights --------------------------------------------------------------------------------------------------

CREATE TABLE role (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT role_name_key UNIQUE,
  guard text NOT NULL DEFAULT 'api',
  level integer NOT NULL CHECK (level BETWEEN 0 AND 4),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE permission (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT permission_name_key UNIQUE,
  guard text NOT NULL DEFAULT 'api',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE role_permission (
  role_id bigint NOT NULL REFERENCES role ON DELETE CASCADE,
  permission_id bigint NOT NULL REFERENCES permission ON DELETE CASCADE,
  PRIMARY KEY (role_id, permission_id)
);

CREATE TABLE user_account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- null for the platform's own people
  department_id bigint REFERENCES department,
  billing_account_id bigint REFERENCES billing_account,
  name text NOT NULL,
  email text NOT NULL CONSTRAINT user_account_email_key UNIQUE CHECK (email = lower(email)),
  phone text,
  password_hash text NOT NULL,
  password_changed_at timestamptz NOT NULL DEFAULT now(),
  role_id bigint NOT NULL REFERENCES role,
  scope_level integer NOT NULL CHECK (scope_level BETWEEN 0 AND 4),
  landing_page text NOT NULL DEFAULT 'dashboard',
  preferred_language text NOT NULL DEFAULT 'en' CHECK (preferred_language IN ('en', 'cn', 'zh', 'fp')),
  enabled boolean NOT NULL DEFAULT true,
  otp boolean NOT NULL DEFAULT false,
  content_visible boolean NOT NULL DEFAULT true,
  skip_blacklist boolean NOT NULL DEFAULT false,
  skip_signature boolean NOT NULL DEFAULT false,
  skip_blackout boolean NOT NULL DEFAULT false,
  failed_sign_ins integer NOT NULL DEFAULT 0,
  first_failure_at timestamptz,
  locked_until timestamptz,
  activated_at timestamptz,
  created_by bigint REFERENCES user_account,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((scope_level < 2) = (corporation_id IS NULL)),
  CHECK (scope_level < 3 OR department_id IS NOT NULL)
);
CREATE INDEX user_account_corporation_id ON user_account (corporation_id, department_id);

CREATE TABLE user_permission (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  permission_id bigint NOT NULL REFERENCES permission ON DELETE CASCADE,
  PRIMARY KEY (user_id, permission_id)
);
CREATE TABLE user_supervisor (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  supervisor_id bigint NOT NULL REFERENCES user_account,
  PRIMARY KEY (user_id, supervisor_id),
  CHECK (user_id <> supervisor_id)
);

-- A sign-in and the chain of token pairs that came of it. Tokens are derived from the server's key and the pair's id;
-- the table knows only their digests.
CREATE TABLE session (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  verified boolean NOT NULL,
  ip text,
  user_agent text,
  created_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz
);
CREATE INDEX session_user_id ON session (user_id) WHERE ended_at IS NULL;
CREATE TABLE session_token (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  session_id uuid NOT NULL REFERENCES session ON DELETE CASCADE,
  access_digest bytea NOT NULL CONSTRAINT session_token_access_digest_key UNIQUE,
  refresh_digest bytea NOT NULL CONSTRAINT session_token_refresh_digest_key UNIQUE,
  access_expires_at timestamptz NOT NULL,
  refresh_expires_at timestamptz NOT NULL,
  successor_id uuid REFERENCES session_token ON DELETE CASCADE,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX session_token_session_id ON session_token (session_id);

-- Failures with names nobody has: they lock like the others, so that a lock does not tell who exists.
CREATE UNLOGGED TABLE unknown_sign_in (
  name_digest bytea PRIMARY KEY,
  failed_sign_ins integer NOT NULL DEFAULT 0,
  first_failure_at timestamptz,
  locked_until timestamptz
);

CREATE TABLE menu (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parent_id bigint REFERENCES menu,
  title text NOT NULL,
  url text NOT NULL DEFAULT '',
  icon text,
  permission text,
  position integer NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT menu_parent_id_title_key UNIQUE NULLS NOT DISTINCT (parent_id, title)
);

CREATE TABLE global_configuration (
  key text PRIMARY KEY,
  name text NOT NULL,
  value text NOT NULL,
  description text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Every change by a person; inserted, never altered. `hash` chains each entry to the one before.
CREATE TABLE activity_log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint, -- no reference: the log outlives the corporation
  name text NOT NULL,
  description text NOT NULL,
  subject_type text NOT NULL,
  subject_id bigint,
  causer_type text NOT NULL DEFAULT 'user',
  causer_id bigint,
  properties jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  previous_hash bytea,
  hash bytea NOT NULL
);
-- The last link of the chain, whoever wrote it: a caller sees only their own entries, but the chain is one.
CREATE FUNCTION last_activity_hash() RETURNS bytea LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public
  RETURN (SELECT hash FROM activity_log ORDER BY id DESC LIMIT 1);
CREATE TRIGGER activity_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON activity_log
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Senders and links --------------------------------------------------------------------------------------------------

CREATE TABLE sender_id (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  sender_id text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  is_promotional boolean NOT NULL DEFAULT false,
  add_optout boolean NOT NULL DEFAULT false,
  optout_keyword text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sender_id_corporation_id_sender_id_key UNIQUE (corporation_id, sender_id)
);

-- A connection to a carrier.
CREATE TABLE link (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL CONSTRAINT link_name_key UNIQUE,
  host text NOT NULL,
  port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
  tls boolean NOT NULL DEFAULT false,
  system_id text NOT NULL,
  password_sealed text NOT NULL DEFAULT '', -- sealed with the server's key
  system_type text NOT NULL DEFAULT '',
  bind_mode text NOT NULL DEFAULT 'transceiver' CHECK (bind_mode IN ('transceiver', 'transmitter_receiver')),
  binds integer NOT NULL DEFAULT 1 CHECK (binds BETWEEN 1 AND 32),
  window_size integer NOT NULL DEFAULT 1000 CHECK (window_size BETWEEN 1 AND 10000),
  rate integer CHECK (rate > 0), -- segments a second; null for no limit
  id_rule text NOT NULL DEFAULT 'as_is' CHECK (id_rule IN ('as_is', 'hex_to_decimal', 'decimal_to_hex')),
  default_charset text NOT NULL DEFAULT 'gsm' CHECK (default_charset IN ('gsm', 'latin1', 'ascii')),
  enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Contacts -----------------------------------------------------------------------------------------------------------

CREATE TABLE number_list (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint NOT NULL REFERENCES department,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  private boolean NOT NULL DEFAULT false,
  numbers_count bigint NOT NULL DEFAULT 0,
  created_by bigint NOT NULL REFERENCES user_account,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT number_list_department_id_name_key UNIQUE (department_id, name)
);

CREATE SEQUENCE number_list_number_id;
CREATE TABLE number_list_number (
  number_list_id bigint NOT NULL REFERENCES number_list ON DELETE CASCADE,
  number text NOT NULL,
  id bigint NOT NULL DEFAULT nextval('number_list_number_id'),
  name text,
  param1 text, param2 text, param3 text, param4 text, param5 text, param6 text, param7 text, param8 text, param9 text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT number_list_number_pkey PRIMARY KEY (number_list_id, number)
);
CREATE UNIQUE INDEX number_list_number_id_key ON number_list_number (id);

CREATE TABLE import (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  number_list_id bigint NOT NULL REFERENCES number_list ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account,
  kind text NOT NULL DEFAULT 'number_list',
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  file_name text NOT NULL,
  file_path text NOT NULL,
  file_sha256 text NOT NULL,
  bytes_total bigint NOT NULL,
  bytes_read bigint NOT NULL DEFAULT 0,
  rows_read bigint NOT NULL DEFAULT 0,
  rows_added bigint NOT NULL DEFAULT 0,
  rows_duplicate bigint NOT NULL DEFAULT 0,
  rows_rejected bigint NOT NULL DEFAULT 0,
  error_code text,
  error_path text,
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz
);

CREATE TABLE blacklist_number (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  sender_id_id bigint REFERENCES sender_id ON DELETE CASCADE, -- null: whatever the sender
  number text NOT NULL,
  opt_out boolean NOT NULL DEFAULT false, -- the person's own word: no setting ever skips it
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT blacklist_number_key UNIQUE NULLS NOT DISTINCT (corporation_id, number, sender_id_id, opt_out)
);

CREATE TABLE blacklist_text (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  text text NOT NULL CONSTRAINT blacklist_text_text_key UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Campaigns ----------------------------------------------------------------------------------------------------------

CREATE TYPE campaign_state AS ENUM ('preparing', 'rejected', 'pending', 'discarded', 'scheduled', 'running', 'paused', 'completed', 'stopped', 'failed');
CREATE TYPE message_state AS ENUM ('pending', 'submitted', 'delivered', 'expired', 'cancelled', 'failed_internal', 'failed_billing', 'failed_submit', 'failed_other', 'blocked');
CREATE TYPE message_class AS ENUM ('otp', 'transactional', 'bulk');

CREATE TABLE upload (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- null for the platform's own people
  user_id bigint NOT NULL REFERENCES user_account,
  file_name text NOT NULL,
  file_path text NOT NULL,
  size bigint NOT NULL,
  columns jsonb NOT NULL,
  preview jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE quote (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint REFERENCES department,
  user_id bigint NOT NULL REFERENCES user_account,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  content jsonb NOT NULL, -- the contract's campaignContent
  state text NOT NULL DEFAULT 'counting' CHECK (state IN ('counting', 'ready', 'failed')),
  rows_read bigint NOT NULL DEFAULT 0,
  total_count bigint NOT NULL DEFAULT 0,
  total_sms bigint NOT NULL DEFAULT 0,
  gsm_count bigint NOT NULL DEFAULT 0,
  unicode_count bigint NOT NULL DEFAULT 0,
  rejected_count bigint NOT NULL DEFAULT 0,
  rejected jsonb NOT NULL DEFAULT '{}',
  samples jsonb NOT NULL DEFAULT '[]',
  cost bigint NOT NULL DEFAULT 0,
  rejected_path text,
  error_code text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE campaign (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation,
  department_id bigint REFERENCES department,
  created_by bigint NOT NULL REFERENCES user_account,
  billing_account_id bigint NOT NULL REFERENCES billing_account,
  quote_id bigint CONSTRAINT campaign_quote_id_key UNIQUE REFERENCES quote,
  name text NOT NULL,
  content jsonb NOT NULL, -- the contract's campaignContent, as quoted
  sender_id text NOT NULL,
  state campaign_state NOT NULL DEFAULT 'preparing',
  error_code text,
  total_count bigint NOT NULL DEFAULT 0,
  total_sms bigint NOT NULL DEFAULT 0,
  gsm_count bigint NOT NULL DEFAULT 0,
  unicode_count bigint NOT NULL DEFAULT 0,
  rejected_count bigint NOT NULL DEFAULT 0,
  rejected_path text,
  estimated_cost bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  expires_at timestamptz, -- start + validity: what is still unsent then expires
  finished_at timestamptz
);
CREATE INDEX campaign_created_at ON campaign (created_at);
CREATE INDEX campaign_corporation_id_created_at ON campaign (corporation_id, created_at);
CREATE INDEX campaign_live ON campaign (id) WHERE state IN ('preparing', 'pending', 'scheduled', 'running', 'paused');

-- The counters live beside the campaign, so that the sender's hot updates never touch the wide row.
CREATE TABLE campaign_counter (
  campaign_id bigint PRIMARY KEY REFERENCES campaign ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  processed bigint NOT NULL DEFAULT 0, -- handed over (intent committed) or finally decided
  submitted bigint NOT NULL DEFAULT 0, -- messages the carrier accepted
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  expired bigint NOT NULL DEFAULT 0,
  cancelled bigint NOT NULL DEFAULT 0,
  charged bigint NOT NULL DEFAULT 0,   -- thousandths
  released bigint NOT NULL DEFAULT 0   -- thousandths of the reservation given back
) WITH (fillfactor = 50);

CREATE TABLE campaign_transition (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  campaign_id bigint NOT NULL REFERENCES campaign ON DELETE CASCADE,
  corporation_id bigint NOT NULL,
  from_state campaign_state,
  to_state campaign_state NOT NULL,
  user_id bigint REFERENCES user_account,
  note text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX campaign_transition_campaign_id ON campaign_transition (campaign_id, id);

-- Delivery -----------------------------------------------------------------------------------------------------------
-- A chunk is up to 1,000 messages that share everything but number, text and price. It is the queue's unit: messages
-- are only ever inserted, a chunk's cursor is the committed intent, and what happened is appended beside.
--   chunk id   = UTC day << 28 | sequence        (both below 2^53, so that JavaScript numbers hold them)
--   message id = chunk id << 10 | place in chunk
-- so an id tells its day (its partition) and its chunk without a lookup.

CREATE SEQUENCE chunk_sequence;
CREATE FUNCTION next_chunk_id() RETURNS bigint LANGUAGE sql VOLATILE
  RETURN (floor(extract(epoch FROM now()) / 86400)::bigint << 28) | (nextval('chunk_sequence') & 268435455);

CREATE TABLE lane (
  link_id bigint NOT NULL REFERENCES link ON DELETE CASCADE,
  class message_class NOT NULL,
  holder text,
  fence bigint NOT NULL DEFAULT 0, -- grows with every new holder; every intent checks it
  expires_at timestamptz,
  PRIMARY KEY (link_id, class)
) WITH (fillfactor = 50);

CREATE TABLE chunk (
  id bigint PRIMARY KEY DEFAULT next_chunk_id(),
  corporation_id bigint NOT NULL,
  department_id bigint,
  user_id bigint,
  billing_account_id bigint NOT NULL,
  campaign_id bigint REFERENCES campaign,
  link_id bigint NOT NULL REFERENCES link,
  class message_class NOT NULL,
  sender_id text NOT NULL,
  flash boolean NOT NULL DEFAULT false,
  charge_on_delivery boolean NOT NULL DEFAULT false,
  common_text text, -- the text of the messages that carry none of their own
  size integer NOT NULL CHECK (size BETWEEN 1 AND 1024),
  cursor integer NOT NULL DEFAULT 0, -- messages before it were handed over: the intent, committed before bytes leave
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'cancelled', 'expired')),
  expires_at timestamptz, -- for messages without a campaign
  settled boolean NOT NULL DEFAULT false, -- long after their validity, all its messages were found, or brought, to an end
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (cursor BETWEEN 0 AND size)
) WITH (fillfactor = 70);
CREATE INDEX chunk_open ON chunk (link_id, class, campaign_id, id) WHERE state = 'open';
CREATE INDEX chunk_unsettled ON chunk (id) WHERE NOT settled;
CREATE INDEX chunk_campaign_id ON chunk (campaign_id, id);

CREATE TABLE message (
  id bigint NOT NULL PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  unit_price bigint NOT NULL, -- of one part, in thousandths
  parts smallint NOT NULL,
  unicode boolean NOT NULL,
  msisdn text NOT NULL,
  name text,
  text text -- null: the chunk's common text
) PARTITION BY RANGE (id);
CREATE INDEX message_campaign_id ON message (campaign_id, id);
CREATE INDEX message_msisdn ON message (msisdn, id);

-- What the carrier answered, one row a segment.
CREATE TABLE submission (
  message_id bigint NOT NULL,
  part smallint NOT NULL,
  corporation_id bigint NOT NULL,
  link_id bigint NOT NULL,
  carrier_id text, -- normalised by the link's id rule; null when refused
  command_status integer NOT NULL,
  answered_at timestamptz NOT NULL,
  PRIMARY KEY (message_id, part)
) PARTITION BY RANGE (message_id);
CREATE INDEX submission_carrier_id ON submission (carrier_id);

-- Every receipt as it came, committed before its deliver_sm is answered. One that fits no submission yet waits here.
CREATE TABLE receipt (
  received_at timestamptz NOT NULL,
  link_id bigint NOT NULL,
  carrier_id text NOT NULL,
  message_id bigint,
  part smallint,
  state text NOT NULL,
  error text,
  raw bytea NOT NULL
) PARTITION BY RANGE (received_at);
CREATE INDEX receipt_message_id ON receipt (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX receipt_parked ON receipt (carrier_id) WHERE message_id IS NULL;

-- The end of a message's life: at most one row a message, so whatever is settled with it is settled once.
CREATE TABLE outcome (
  message_id bigint NOT NULL PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  state message_state NOT NULL,
  error_code text,
  done_at timestamptz NOT NULL
) PARTITION BY RANGE (message_id);

-- Segments to be tried again after a refusal that passes (throttled, queue full).
CREATE TABLE retry (
  message_id bigint NOT NULL,
  part smallint NOT NULL,
  corporation_id bigint NOT NULL,
  link_id bigint NOT NULL,
  class message_class NOT NULL,
  tries integer NOT NULL,
  not_before timestamptz NOT NULL,
  command_status integer NOT NULL, -- of the last answer; -1: it never left
  reference smallint NOT NULL, -- of the concatenation, the same in all parts of a message
  PRIMARY KEY (message_id, part)
);
CREATE INDEX retry_due ON retry (link_id, not_before);

-- What could not be recorded, so that the rest could: for a person to look at. Nothing reads it by itself.
CREATE TABLE set_aside (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  record jsonb NOT NULL,
  error text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Hourly totals a campaign (0: none), kept by the transactions that record outcomes; dashboards read these.
CREATE TABLE traffic_hour (
  hour timestamptz NOT NULL,
  corporation_id bigint NOT NULL,
  department_id bigint NOT NULL DEFAULT 0,
  user_id bigint NOT NULL DEFAULT 0,
  campaign_id bigint NOT NULL DEFAULT 0,
  messages bigint NOT NULL DEFAULT 0,
  parts bigint NOT NULL DEFAULT 0,
  delivered bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  expired bigint NOT NULL DEFAULT 0,
  spend bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (hour, corporation_id, department_id, user_id, campaign_id)
) WITH (fillfactor = 50);

-- Daily partitions, created ahead; no default partition, for it would forbid detaching.
CREATE FUNCTION ensure_partitions(first_day date, last_day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  day date;
  number bigint;
  parent text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
  FOR day IN SELECT generate_series(first_day, last_day, interval '1 day')::date LOOP
    number := day - date '1970-01-01';
    FOREACH parent IN ARRAY ARRAY['message', 'submission', 'outcome'] LOOP
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%s) TO (%s)',
        parent || '_' || to_char(day, 'YYYYMMDD'), parent, number << 38, (number + 1) << 38);
    END LOOP;
    EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF receipt FOR VALUES FROM (%L) TO (%L)',
      'receipt_' || to_char(day, 'YYYYMMDD'), day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
  END LOOP;
END $$;
SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 7);

-- Notifications ------------------------------------------------------------------------------------------------------

CREATE TABLE download (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- null for the platform's own people
  user_id bigint NOT NULL REFERENCES user_account,
  kind text NOT NULL,
  parameters jsonb NOT NULL,
  download_file text NOT NULL,
  file_path text,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  rows bigint NOT NULL DEFAULT 0,
  size bigint,
  downloaded_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX download_user_id ON download (user_id, id);

-- Rows as the contract shows them -------------------------------------------------------------------------------------

CREATE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.*, r.name AS reseller_name FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;
CREATE VIEW department_row WITH (security_invoker) AS
  SELECT d.*, c.name AS corporation_name FROM department d JOIN corporation c ON c.id = d.corporation_id;
CREATE VIEW sender_id_row WITH (security_invoker) AS
  SELECT s.*, c.name AS corporation_name FROM sender_id s JOIN corporation c ON c.id = s.corporation_id;
CREATE VIEW price_plan_row WITH (security_invoker) AS
  SELECT p.*, c.name AS corporation_name FROM price_plan p LEFT JOIN corporation c ON c.id = p.corporation_id;
CREATE VIEW billing_account_row WITH (security_invoker) AS
  SELECT b.*, c.name AS corporation_name, c.currency, p.name AS price_plan_name
  FROM billing_account b JOIN corporation c ON c.id = b.corporation_id JOIN price_plan p ON p.id = b.price_plan_id;
CREATE VIEW number_list_row WITH (security_invoker) AS
  SELECT l.*, c.name AS corporation_name, d.name AS department_name
  FROM number_list l JOIN corporation c ON c.id = l.corporation_id JOIN department d ON d.id = l.department_id;

-- A message with its state: an outcome decides; else it waits in its chunk, or was handed over.
CREATE VIEW message_row WITH (security_invoker) AS
  SELECT m.id, k.created_at, m.campaign_id, c.name AS campaign_name, m.corporation_id, k.department_id, k.user_id,
    k.billing_account_id, k.sender_id, m.msisdn AS number, m.name, coalesce(m.text, k.common_text) AS text,
    CASE WHEN m.unicode THEN 'ucs2' ELSE 'gsm' END AS encoding, m.parts, m.unit_price, k.charge_on_delivery,
    coalesce(o.state, CASE
      WHEN (m.id & 1023) < k.cursor THEN 'submitted'
      WHEN k.state = 'cancelled' THEN 'cancelled'
      WHEN k.state = 'expired' THEN 'expired'
      ELSE 'pending' END::message_state) AS state,
    o.error_code, o.done_at
  FROM message m
  JOIN chunk k ON k.id = m.id >> 10
  LEFT JOIN campaign c ON c.id = m.campaign_id
  LEFT JOIN outcome o ON o.message_id = m.id;

-- Row level security: the second wall. The owner, whom only migrations and the seed use, sees all. --------------------------------------------------------------------------------

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
  by_department text := '((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))';
  by_user text := '(NOT (SELECT scope_is_user()) OR %s = (SELECT scope_user()))';
  rule text;
BEGIN
  FOR t, rule IN VALUES
    -- What a reseller has just added is its own before its scope names it.
    ('corporation', '((SELECT scope_is_platform()) OR id = ANY ((SELECT scope_corporations())::bigint[])
      OR ((SELECT scope_is_corporation()) AND reseller_id = ANY ((SELECT scope_corporations())::bigint[])))'),
    ('department', by_corporation || ' AND ((SELECT scope_department()) IS NULL OR id = (SELECT scope_department()))'),
    ('price_plan', by_corporation),
    ('billing_account', by_corporation),
    ('ledger_transfer', by_corporation),
    ('ledger_entry', by_corporation),
    ('user_account', by_corporation || ' AND ' || by_department),
    ('activity_log', by_corporation),
    ('sender_id', by_corporation),
    ('number_list', by_corporation || ' AND ' || by_department || ' AND (NOT private OR NOT (SELECT scope_is_user()) OR created_by = (SELECT scope_user()))'),
    ('import', by_corporation || ' AND ' || format(by_user, 'user_id')),
    ('blacklist_number', by_corporation),
    ('upload', 'user_id = (SELECT scope_user())'),
    ('quote', by_corporation || ' AND user_id = (SELECT scope_user())'),
    ('campaign', by_corporation || ' AND ' || by_department || ' AND ' || format(by_user, 'created_by')),
    ('campaign_counter', by_corporation),
    ('campaign_transition', by_corporation),
    ('chunk', by_corporation || ' AND ' || by_department || ' AND ' || format(by_user, 'user_id')),
    ('message', by_corporation),
    ('submission', by_corporation),
    ('outcome', by_corporation),
    ('retry', by_corporation),
    ('traffic_hour', by_corporation || ' AND ' || by_department || ' AND ' || format(by_user, 'user_id')),
    ('download', 'user_id = (SELECT scope_user())')
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    -- The owner is bound by FORCE too; it migrates, seeds and makes the first administrator.
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;

-- A plan is its owner's to write, and is seen by whoever is billed by it besides.
CREATE POLICY billed ON price_plan FOR SELECT TO heliograph_api USING (id IN (SELECT price_plan_id FROM billing_account));

-- The numbers of a list are seen by whoever sees the list; receipts by whoever sees the message.
ALTER TABLE number_list_number ENABLE ROW LEVEL SECURITY;
ALTER TABLE number_list_number FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON number_list_number TO heliograph_api USING (number_list_id IN (SELECT id FROM number_list));
CREATE POLICY inside ON number_list_number TO CURRENT_USER, heliograph_worker USING (true);
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON receipt TO heliograph_api USING (message_id IN (SELECT id FROM message));
CREATE POLICY inside ON receipt TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);

GRANT USAGE ON SCHEMA public TO heliograph_api, heliograph_auth, heliograph_worker, heliograph_sender;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO heliograph_worker, heliograph_sender;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO heliograph_api, heliograph_worker, heliograph_sender;

-- The sign-in's own narrow role.
GRANT SELECT ON corporation, department, billing_account, role, permission, role_permission, user_permission, user_supervisor, global_configuration TO heliograph_auth;
GRANT SELECT, UPDATE ON user_account TO heliograph_auth;
GRANT SELECT, INSERT, UPDATE, DELETE ON session, session_token, unknown_sign_in TO heliograph_auth;
GRANT INSERT, SELECT ON activity_log TO heliograph_auth;

GRANT SELECT ON role, permission, role_permission, user_permission, user_supervisor, menu, global_configuration, link, blacklist_text TO heliograph_api;
REVOKE SELECT ON link FROM heliograph_api;
GRANT SELECT (id, name, enabled) ON link TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON corporation, department, price_plan, sender_id, number_list, number_list_number, import,
  blacklist_number, upload, quote, campaign, campaign_counter, campaign_transition, download TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON billing_account TO heliograph_api;
GRANT SELECT, INSERT ON ledger_transfer, ledger_entry, activity_log TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON chunk TO heliograph_api;
GRANT SELECT, INSERT ON message TO heliograph_api;
GRANT SELECT ON submission, outcome, receipt, traffic_hour TO heliograph_api;
GRANT SELECT (id, corporation_id, department_id, billing_account_id, name, email, phone, role_id, scope_level, landing_page,
  preferred_language, enabled, otp, content_visible, skip_blacklist, skip_signature, skip_blackout, created_at, updated_at) ON user_account TO heliograph_api;
GRANT UPDATE (name, phone, preferred_language, updated_at) ON user_account TO heliograph_api;

GRANT INSERT, UPDATE, DELETE ON number_list, number_list_number, import, upload, quote, campaign, campaign_counter,
  campaign_transition, chunk, message, download, billing_account, traffic_hour TO heliograph_worker;
GRANT INSERT ON ledger_transfer, ledger_entry, activity_log, outcome, submission, receipt TO heliograph_worker;
GRANT UPDATE ON receipt TO heliograph_worker;

GRANT INSERT, UPDATE ON lane, chunk, campaign, campaign_counter, billing_account, traffic_hour, receipt TO heliograph_sender;
GRANT INSERT ON submission, outcome, ledger_transfer, ledger_entry, campaign_transition, set_aside TO heliograph_sender;
GRANT INSERT, UPDATE, DELETE ON retry TO heliograph_sender;

GRANT SELECT ON corporation_row, department_row, sender_id_row, price_plan_row, billing_account_row, number_list_row, message_row TO heliograph_api, heliograph_worker;
