-- Journeys: what happens to people of a corporation, step by step. The definition here is the one that is edited.
CREATE TABLE journey (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  department_id bigint REFERENCES department ON DELETE SET NULL,
  name text NOT NULL,
  definition jsonb NOT NULL,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'running', 'paused', 'stopped')),
  pause_reason text CHECK (pause_reason IN ('person', 'budget', 'credit', 'sender', 'sending', 'segment', 'fault')),
  budget bigint, -- thousandths; null for none
  spent bigint NOT NULL DEFAULT 0,
  entered bigint NOT NULL DEFAULT 0,
  version_id bigint, -- version that people enter
  run_by bigint REFERENCES user_account ON DELETE SET NULL, -- person whose rights its messages have
  billing_account_id bigint REFERENCES billing_account ON DELETE SET NULL,
  looked_at timestamptz, -- time of the last look for people who enter
  created_by bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX journey_name_key ON journey (corporation_id, name_key(name));
CREATE INDEX journey_running ON journey (id) WHERE state = 'running';

-- Definitions as they were published, with the rules of their segments. People finish the one that they began.
CREATE TABLE journey_version (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  journey_id bigint NOT NULL REFERENCES journey ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  number integer NOT NULL,
  definition jsonb NOT NULL,
  rules jsonb NOT NULL, -- by the ids of the segments
  published_by bigint REFERENCES user_account ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT journey_version_number_key UNIQUE (journey_id, number)
);

-- People of journeys, once each. A step above 0 is done when it is due, one below 0 is passed then; 0 is the beginning. The trail is the
-- passed steps, each with the seconds since the person entered.
CREATE TABLE journey_person (
  journey_id bigint NOT NULL REFERENCES journey ON DELETE CASCADE,
  number text COLLATE "C" NOT NULL,
  corporation_id bigint NOT NULL,
  version_id bigint NOT NULL,
  step smallint NOT NULL DEFAULT 0,
  due_at timestamptz, -- null for those who came to the end
  entered_at timestamptz NOT NULL,
  ended_at timestamptz,
  trail integer[] NOT NULL DEFAULT '{}',
  CONSTRAINT journey_person_pkey PRIMARY KEY (number, journey_id)
);
CREATE INDEX journey_person_due ON journey_person (journey_id, due_at) WHERE due_at IS NOT NULL;

-- Figures of the steps of a version.
CREATE TABLE journey_step (
  version_id bigint NOT NULL REFERENCES journey_version ON DELETE CASCADE,
  step smallint NOT NULL,
  corporation_id bigint NOT NULL,
  passed bigint NOT NULL DEFAULT 0,
  sent bigint NOT NULL DEFAULT 0,
  refused bigint NOT NULL DEFAULT 0,
  spent bigint NOT NULL DEFAULT 0,
  CONSTRAINT journey_step_pkey PRIMARY KEY (version_id, step)
);

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
BEGIN
  FOREACH t IN ARRAY ARRAY['journey', 'journey_version', 'journey_person', 'journey_step'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_worker USING (true)', t);
    IF t = 'journey' THEN
      EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s
        AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department()))
        AND (NOT (SELECT scope_is_user()) OR created_by = (SELECT scope_user())))', t, by_corporation);
    ELSE
      EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, by_corporation);
    END IF;
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON journey TO heliograph_api;
GRANT SELECT, UPDATE ON journey TO heliograph_worker;
GRANT SELECT, INSERT ON journey_version TO heliograph_api;
GRANT SELECT, UPDATE ON journey_version TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON journey_person TO heliograph_api, heliograph_worker;
GRANT SELECT ON journey_step TO heliograph_api;
GRANT SELECT, INSERT, UPDATE ON journey_step TO heliograph_worker;

-- The worker hands in the messages of journeys as programs do.
GRANT EXECUTE ON FUNCTION reserve_all, lock_funds, paying_accounts_of TO heliograph_worker;
