-- Results by link: each link has its place in the text of its recipient, from 1. Links of earlier campaigns have the place
-- that conditions of segments counted; campaigns with an address for each recipient have none.
ALTER TABLE short_link_target ADD COLUMN place smallint;
ALTER TABLE short_link_click ADD COLUMN place smallint;
UPDATE short_link_target t SET place = r.place
FROM (SELECT id, row_number() OVER (PARTITION BY campaign_id ORDER BY id) AS place, count(*) OVER (PARTITION BY campaign_id) AS targets
  FROM short_link_target WHERE campaign_id IS NOT NULL) r
WHERE r.id = t.id AND r.targets <= 20;
UPDATE short_link_click c SET place = t.place FROM short_link l JOIN short_link_target t ON t.id = l.target_id
WHERE l.code = c.code AND t.place IS NOT NULL;
CREATE INDEX short_link_target_campaign_id ON short_link_target (campaign_id, place);
-- The list of who clicked, the newest first.
CREATE INDEX short_link_click_campaign_at ON short_link_click (campaign_id, first_at);

-- Visits that are not counted, by the reason: at most a row for each link and reason, so no two visitors wait for each other.
CREATE TABLE short_link_program (
  code text COLLATE "C" NOT NULL,
  reason text NOT NULL CHECK (reason IN ('agent', 'no_agent', 'head', 'prefetch')),
  corporation_id bigint NOT NULL,
  campaign_id bigint,
  place smallint,
  visits integer NOT NULL DEFAULT 1,
  last_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT short_link_program_pkey PRIMARY KEY (code, reason)
);
CREATE INDEX short_link_program_campaign_id ON short_link_program (campaign_id, place);
ALTER TABLE short_link_program ENABLE ROW LEVEL SECURITY;
ALTER TABLE short_link_program FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON short_link_program TO heliograph_api
  USING ((SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON short_link_program TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT ON short_link_program TO heliograph_api, heliograph_worker;

-- names_clicks: false lets clicks be counted without the number of who clicked. clicks_forgotten_at: when the numbers of
-- present clicks were taken after that. short_link_days: days after which links end, null for never.
ALTER TABLE corporation ADD COLUMN names_clicks boolean NOT NULL DEFAULT true, ADD COLUMN clicks_forgotten_at timestamptz,
  ADD COLUMN short_link_days integer;
GRANT UPDATE (clicks_forgotten_at) ON corporation TO heliograph_worker;
CREATE FUNCTION forget_clicks_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.clicks_forgotten_at := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER clicks_named BEFORE UPDATE OF names_clicks ON corporation FOR EACH ROW
  WHEN (NEW.names_clicks IS DISTINCT FROM OLD.names_clicks) EXECUTE FUNCTION forget_clicks_again();
CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links,
    c.requires_consent, c.gives_parameters, c.names_clicks, c.short_link_days
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;

-- Programs are told of first clicks. The wider check refuses nothing that the program before writes:
-- contract: demanded: constraint event.event_type_check CHECK ((type = ANY (ARRAY['message.delivered'::text, 'message.failed'::text, 'message.expired'::text, 'message.corrected'::text, 'message.received'::text, 'campaign.finished'::text, 'balance.low'::text, 'payment.received'::text, 'invoice.issued'::text, 'link.clicked'::text]))) NOT VALID
ALTER TABLE event DROP CONSTRAINT event_type_check;
ALTER TABLE event ADD CONSTRAINT event_type_check CHECK (type IN ('message.delivered', 'message.failed', 'message.expired', 'message.corrected', 'message.received',
  'campaign.finished', 'balance.low', 'payment.received', 'invoice.issued', 'link.clicked')) NOT VALID;

-- Where a code leads when it is visited at a host; null where nobody was given it there, or where it has ended. `program` is
-- the reason why the visit is not counted, null for a person. A visit within ten seconds of the last is the same visit:
-- browsers ask twice. The first click of a link of a campaign is an event. Nobody's session stands behind it, so it sees
-- every tenant's links, and answers no more than the address.
CREATE FUNCTION visit_short_link(wanted text, program text, asked_host text, OUT leads_to text, OUT ended boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  link short_link;
  target short_link_target;
  named boolean;
  days integer;
  sent_at timestamptz;
  department bigint;
  author bigint;
BEGIN
  ended := false;
  SELECT * INTO link FROM short_link WHERE code = wanted;
  IF NOT FOUND THEN RETURN; END IF;
  SELECT * INTO target FROM short_link_target WHERE id = link.target_id;
  IF (SELECT h.corporation_id FROM short_link_host h WHERE h.host = asked_host) IS DISTINCT FROM
    (SELECT h.corporation_id FROM short_link_host h WHERE h.host = target.host)
  THEN RETURN; END IF;
  SELECT names_clicks, short_link_days INTO named, days FROM corporation WHERE id = link.corporation_id;
  SELECT starts_at, department_id, created_by INTO sent_at, department, author FROM campaign WHERE id = link.campaign_id;
  IF now() >= greatest(link.created_at, sent_at) + days * interval '1 day' THEN
    ended := true;
    RETURN;
  END IF;
  leads_to := target.url;
  IF program IS NOT NULL THEN
    INSERT INTO short_link_program AS p (code, reason, corporation_id, campaign_id, place)
    VALUES (link.code, program, link.corporation_id, link.campaign_id, target.place)
    ON CONFLICT (code, reason) DO UPDATE SET visits = p.visits + 1, last_at = now();
    RETURN;
  END IF;
  -- A link that was written just before its corporation took the names away has its number still.
  INSERT INTO short_link_click (code, corporation_id, campaign_id, msisdn, place)
  VALUES (link.code, link.corporation_id, link.campaign_id,
    CASE WHEN named OR link.msisdn !~ '^[0-9]' THEN link.msisdn ELSE 'removed-' || link.code END, target.place)
  ON CONFLICT (code) DO NOTHING;
  IF FOUND THEN
    INSERT INTO event (corporation_id, department_id, user_id, type, data)
    SELECT link.corporation_id, department, author, 'link.clicked',
      jsonb_build_object('code', link.code, 'campaign_id', link.campaign_id)
    WHERE link.campaign_id IS NOT NULL;
  ELSE
    UPDATE short_link_click SET clicks = clicks + 1, last_at = now()
    WHERE code = link.code AND last_at < now() - interval '10 seconds';
  END IF;
END $$;
REVOKE EXECUTE ON FUNCTION visit_short_link(text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION visit_short_link(text, text, text) TO heliograph_api;

-- Processes of the last release note the place, too.
CREATE OR REPLACE FUNCTION follow_short_link(wanted text, counted boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
DECLARE
  link short_link;
  target short_link_target;
BEGIN
  SELECT * INTO link FROM short_link WHERE code = wanted;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT * INTO target FROM short_link_target WHERE id = link.target_id;
  IF counted THEN
    INSERT INTO short_link_click AS c (code, corporation_id, campaign_id, msisdn, place)
    VALUES (link.code, link.corporation_id, link.campaign_id, link.msisdn, target.place)
    ON CONFLICT (code) DO UPDATE SET clicks = c.clicks + 1, last_at = now() WHERE c.last_at < now() - interval '10 seconds';
  END IF;
  RETURN target.url;
END $$;
