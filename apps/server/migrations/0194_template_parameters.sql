-- Values of vendor parameters that go with each message made from a template, as name=value. The approved text has a copy,
-- because programs' messages are matched by it.
ALTER TABLE message_template ADD COLUMN parameters text[] NOT NULL DEFAULT '{}';
ALTER TABLE approved_template ADD COLUMN parameters text[] NOT NULL DEFAULT '{}';
CREATE INDEX approved_template_with_parameters ON approved_template (corporation_id) WHERE parameters <> '{}';
CREATE OR REPLACE VIEW message_template_row WITH (security_invoker) AS
  SELECT m.id, m.corporation_id, m.department_id, m.name, m.template, m.created_at, c.name AS corporation_name,
    d.name AS department_name, m.state, m.state_reason, m.requested_by, u.name AS requested_by_name, m.revision,
    a.template AS approved_text, a.template_id IS NOT NULL AS valid,
    false AS may_decide, -- the program answers it for its caller
    m.parameters
  FROM message_template m JOIN corporation c ON c.id = m.corporation_id JOIN department d ON d.id = m.department_id
  LEFT JOIN approved_template a ON a.template_id = m.id LEFT JOIN user_account u ON u.id = m.requested_by;
