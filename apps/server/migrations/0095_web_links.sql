-- Check of web addresses in texts. Null: as the platform's setting says, which is off unless the operator changes it.
ALTER TABLE corporation ADD COLUMN web_links text CHECK (web_links IN ('off', 'shadow', 'enforced'));
CREATE OR REPLACE VIEW corporation_row WITH (security_invoker) AS
  SELECT c.id, c.name, c.currency, c.timezone, c.callback_url, c.sales_code, c.is_reseller, c.reseller_id, c.throughput,
    c.api_throughput, c.campaign_alerts, c.opt_out_message, c.enabled, c.created_at, r.name AS reseller_name, c.web_links
  FROM corporation c LEFT JOIN corporation r ON r.id = c.reseller_id;
