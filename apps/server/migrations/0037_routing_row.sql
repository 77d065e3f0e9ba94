CREATE OR REPLACE VIEW routing_row WITH (security_invoker) AS
  SELECT r.id, r.corporation_id, c.name AS corporation_name, r.number, r.keyword, r.action, r.campaign_name, r.valid_replies,
    r.valid_reply_message, r.invalid_reply_message, r.sender_id_id, s.sender_id AS sender_id_name, r.user_id,
    u.name AS user_name, r.url, r.method, r.body_format, r.username, r.password_set_at, r.reply_with_answer, r.enabled,
    r.created_at, r.withheld
  FROM routing r JOIN corporation c ON c.id = r.corporation_id LEFT JOIN sender_id s ON s.id = r.sender_id_id
  LEFT JOIN user_account u ON u.id = r.user_id;
