-- Composing: files by their columns, drafts, what a quote says of its cost, short links, and word of the end.

-- What each column of the file holds, by position, as guessed or remembered; null where the columns' own names say it.
ALTER TABLE upload ADD COLUMN mapping jsonb, ADD COLUMN header_key text, ADD COLUMN rows_estimate bigint;

-- How a person read a file with such a header the last time.
CREATE TABLE column_mapping (
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null for the platform's own people
  header_key text NOT NULL, -- SHA-256 of the header's names
  mapping jsonb NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT column_mapping_pkey PRIMARY KEY (user_id, header_key)
);

-- What somebody has begun to write. `version` grows with every change, so that two machines do not overwrite each other.
CREATE TABLE campaign_draft (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation ON DELETE CASCADE, -- null for the platform's own people
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  name text NOT NULL,
  content jsonb NOT NULL, -- the contract's draftContent
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX campaign_draft_user_id ON campaign_draft (user_id, updated_at);

-- Cost by destination, the dearest rows, what makes texts Unicode: the contract's quoteDetails.
ALTER TABLE quote ADD COLUMN details jsonb NOT NULL DEFAULT '{}', ADD COLUMN rows_expected bigint;

-- When its end was told to whoever asked for it.
ALTER TABLE campaign ADD COLUMN notified_at timestamptz;
CREATE INDEX campaign_to_notify ON campaign (id) WHERE content ->> 'notify_number' = 'true' AND notified_at IS NULL;

-- An address of a text, as one recipient got it. Rows are only ever inserted.
CREATE TABLE short_link (
  code text COLLATE "C" NOT NULL CONSTRAINT short_link_pkey PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint, -- null of a test
  msisdn text NOT NULL,
  target_id bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
-- Where it leads: once for all recipients who got the same.
CREATE TABLE short_link_target (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  url text NOT NULL CHECK (url ~* '^https?://')
);
-- Who followed a link, at most one row a link.
CREATE TABLE short_link_click (
  code text COLLATE "C" NOT NULL CONSTRAINT short_link_click_pkey PRIMARY KEY,
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  msisdn text NOT NULL,
  clicks integer NOT NULL DEFAULT 1,
  first_at timestamptz NOT NULL DEFAULT now(),
  last_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX short_link_click_campaign_id ON short_link_click (campaign_id, msisdn);

-- Where a code leads, null where nobody was given it. A visit counts where `counted`, but one within ten seconds of the
-- last is the same visit: browsers ask twice. Nobody's session stands behind it, so it sees every tenant's links, and
-- answers no more than the address.
CREATE FUNCTION follow_short_link(wanted text, counted boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  link short_link;
  leads_to text;
BEGIN
  SELECT * INTO link FROM short_link WHERE code = wanted;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT url INTO leads_to FROM short_link_target WHERE id = link.target_id;
  IF counted THEN
    INSERT INTO short_link_click AS c (code, corporation_id, campaign_id, msisdn)
    VALUES (link.code, link.corporation_id, link.campaign_id, link.msisdn)
    ON CONFLICT (code) DO UPDATE SET clicks = c.clicks + 1, last_at = now() WHERE c.last_at < now() - interval '10 seconds';
  END IF;
  RETURN leads_to;
END $$;
REVOKE EXECUTE ON FUNCTION follow_short_link(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION follow_short_link(text, boolean) TO heliograph_api;

DO $$
DECLARE
  t text;
  by_corporation text := '((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]))';
  rule text;
BEGIN
  FOR t, rule IN VALUES
    ('column_mapping', 'user_id = (SELECT scope_user())'),
    ('campaign_draft', 'user_id = (SELECT scope_user())'),
    ('short_link', by_corporation),
    ('short_link_target', by_corporation),
    ('short_link_click', by_corporation)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY caller ON %I TO heliograph_api USING (%s)', t, rule);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker, heliograph_sender USING (true)', t);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON column_mapping, campaign_draft TO heliograph_api;
GRANT SELECT, INSERT ON short_link, short_link_target TO heliograph_api;
GRANT SELECT ON short_link_click TO heliograph_api;
GRANT SELECT ON column_mapping, campaign_draft, short_link, short_link_target, short_link_click TO heliograph_worker;
GRANT INSERT ON short_link, short_link_target TO heliograph_worker;
