-- A profile took control characters in a name, and the list of users could not be shown then.
UPDATE user_account SET name = coalesce(nullif(btrim(regexp_replace(name, '[\u0001-\u001f\u007f-\u009f]+', ' ', 'g')), ''), email)
WHERE name ~ '[\u0001-\u001f\u007f-\u009f]';
