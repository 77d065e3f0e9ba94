-- contract: demanded: constraint message_template.message_template_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'submitted'::text, 'approved'::text, 'rejected'::text])))
-- Templates are submitted and decided. Only sender IDs that are limited to approved templates ask for it.
ALTER TABLE message_template
  ADD COLUMN state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'submitted', 'approved', 'rejected')),
  ADD COLUMN state_reason text, -- why it was rejected
  ADD COLUMN requested_by bigint,
  ADD COLUMN revision integer NOT NULL DEFAULT 1; -- grows with each change of the text, so that nobody approves unread text

-- Texts that are valid. A template that was changed keeps its approved text until the new one is decided. Departments
-- do not limit it: a sender ID's texts are checked against all of its corporation.
CREATE TABLE approved_template (
  template_id bigint PRIMARY KEY REFERENCES message_template ON DELETE CASCADE,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  template text NOT NULL,
  approved_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX approved_template_corporation_id ON approved_template (corporation_id);

-- History of templates with their texts: it stays when a template is deleted, and says why messages were allowed.
CREATE TABLE template_event (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  department_id bigint, -- without a reference, as departments are deleted
  template_id bigint NOT NULL, -- without a reference: the template may be deleted
  name text NOT NULL,
  template text NOT NULL,
  from_state text,
  to_state text NOT NULL,
  actor_id bigint, -- without a reference, as people are deleted
  reason text,
  told boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX template_event_template_id ON template_event (template_id, id);
CREATE INDEX template_event_corporation_id ON template_event (corporation_id, created_at);

ALTER TABLE approved_template ENABLE ROW LEVEL SECURITY;
ALTER TABLE approved_template FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON approved_template TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON approved_template TO CURRENT_USER, heliograph_worker, heliograph_sender, heliograph_intake USING (true);
ALTER TABLE template_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE template_event FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON template_event TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[])
    AND ((SELECT scope_department()) IS NULL OR department_id = (SELECT scope_department())));
CREATE POLICY inside ON template_event TO CURRENT_USER, heliograph_worker, heliograph_sender USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON approved_template TO heliograph_api;
GRANT SELECT ON approved_template TO heliograph_worker, heliograph_sender, heliograph_intake;
GRANT SELECT, INSERT ON template_event TO heliograph_api;
GRANT SELECT, UPDATE (told) ON template_event TO heliograph_worker;
GRANT USAGE ON SEQUENCE template_event_id_seq TO heliograph_api;

CREATE OR REPLACE VIEW message_template_row WITH (security_invoker) AS
  SELECT m.id, m.corporation_id, m.department_id, m.name, m.template, m.created_at, c.name AS corporation_name,
    d.name AS department_name, m.state, m.state_reason, m.requested_by, u.name AS requested_by_name, m.revision,
    a.template AS approved_text, a.template_id IS NOT NULL AS valid,
    false AS may_decide -- the program answers it for its caller
  FROM message_template m JOIN corporation c ON c.id = m.corporation_id JOIN department d ON d.id = m.department_id
  LEFT JOIN approved_template a ON a.template_id = m.id LEFT JOIN user_account u ON u.id = m.requested_by;
