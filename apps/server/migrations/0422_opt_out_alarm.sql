-- Opt-outs of 1,000 delivered messages above which a running campaign pauses, once; null for never.
ALTER TABLE corporation ADD COLUMN opt_outs_per_thousand integer;
CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links,
    c.requires_consent, c.gives_parameters, c.names_clicks, c.short_link_days, c.opt_outs_per_thousand
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;

-- The wider check refuses nothing that the program before writes:
-- contract: demanded: constraint campaign.campaign_pause_reason_check CHECK ((pause_reason = ANY (ARRAY['person'::text, 'blackout'::text, 'canary'::text, 'switched_off'::text, 'sender'::text, 'moderation'::text, 'unpaid'::text, 'opt_outs'::text]))) NOT VALID
ALTER TABLE campaign DROP CONSTRAINT campaign_pause_reason_check;
ALTER TABLE campaign ADD CONSTRAINT campaign_pause_reason_check
  CHECK (pause_reason IN ('person', 'blackout', 'canary', 'switched_off', 'sender', 'moderation', 'unpaid', 'opt_outs')) NOT VALID;
