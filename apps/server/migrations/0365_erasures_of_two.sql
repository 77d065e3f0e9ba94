-- An erasure is asked for by one person and confirmed by another.
ALTER TABLE person_request
  DROP CONSTRAINT person_request_state_check,
  ADD CONSTRAINT person_request_state_check CHECK (state IN ('searching', 'found', 'asked', 'erasing', 'erased')),
  ADD COLUMN confirmed_by bigint REFERENCES user_account ON DELETE SET NULL, -- null if one person was enough
  ADD COLUMN confirmed_at timestamptz;
CREATE INDEX person_request_confirmed_by ON person_request (confirmed_by) WHERE confirmed_by IS NOT NULL;
CREATE OR REPLACE VIEW person_request_row WITH (security_invoker) AS
  SELECT p.id, p.corporation_id, c.name AS corporation_name, p.number_sealed, p.state, p.found, u.name AS user_name, p.created_at,
    p.digest, p.reason, e.name AS erased_by_name, p.asked_at, p.erased, p.erased_at, p.activity_id,
    p.erased_by, f.name AS confirmed_by_name, p.confirmed_at
  FROM person_request p LEFT JOIN corporation c ON c.id = p.corporation_id LEFT JOIN user_account u ON u.id = p.user_id
  LEFT JOIN user_account e ON e.id = p.erased_by LEFT JOIN user_account f ON f.id = p.confirmed_by;
