-- True lets commercial messages go only to people who opted in.
ALTER TABLE corporation ADD COLUMN requires_consent boolean NOT NULL DEFAULT false;
CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links,
    c.requires_consent
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;
