-- Directories that keep people and groups up to date by SCIM 2.0. Each belongs to an identity provider, whose domains,
-- roles and rules hold for it.
ALTER TABLE identity_provider
  ADD COLUMN provisioning_digest bytea UNIQUE, -- SHA-256 of the directory's token
  ADD COLUMN provisioning_prefix text, -- the token's first characters, by which people recognize it
  ADD COLUMN provisioned_at timestamptz, -- the directory's last call
  ADD CHECK ((provisioning_digest IS NULL) = (provisioning_prefix IS NULL));

-- What a directory calls a person, and that it removed them. The account itself stays.
CREATE TABLE directory_person (
  identity_provider_id bigint NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  external_id text CHECK (length(external_id) <= 200),
  user_name text NOT NULL CHECK (length(user_name) <= 200),
  names jsonb NOT NULL DEFAULT '{}', -- displayName and name as the directory wrote them
  -- Whether the account is off only because no group of the person gives a role.
  without_role boolean NOT NULL DEFAULT false,
  removed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (identity_provider_id, user_id)
);
CREATE UNIQUE INDEX directory_person_user_name_key ON directory_person (identity_provider_id, lower(user_name))
  WHERE removed_at IS NULL;
CREATE INDEX directory_person_user_id ON directory_person (user_id);

-- Groups of a directory. Rules of the provider name them, and so give their people a role.
CREATE TABLE directory_group (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  identity_provider_id bigint NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  display_name text NOT NULL CHECK (length(display_name) <= 200),
  external_id text CHECK (length(external_id) <= 200),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX directory_group_display_name_key ON directory_group (identity_provider_id, lower(display_name));

CREATE TABLE directory_member (
  directory_group_id bigint NOT NULL REFERENCES directory_group ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
  PRIMARY KEY (directory_group_id, user_id)
);
CREATE INDEX directory_member_user_id ON directory_member (user_id);

DO $$
DECLARE
  t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['directory_person', 'directory_group', 'directory_member'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY inside ON %I TO CURRENT_USER, heliograph_auth, heliograph_worker USING (true)', t);
  END LOOP;
END $$;
CREATE POLICY caller ON directory_person TO heliograph_api
  USING (identity_provider_id IN (SELECT id FROM identity_provider) AND user_id IN (SELECT id FROM user_account));
CREATE POLICY caller ON directory_group TO heliograph_api
  USING (identity_provider_id IN (SELECT id FROM identity_provider));
CREATE POLICY caller ON directory_member TO heliograph_api
  USING (directory_group_id IN (SELECT id FROM directory_group) AND user_id IN (SELECT id FROM user_account));

GRANT SELECT, INSERT, UPDATE, DELETE ON directory_person, directory_group, directory_member TO heliograph_auth;
GRANT SELECT ON directory_person, directory_group, directory_member TO heliograph_api;
GRANT UPDATE (provisioned_at) ON identity_provider TO heliograph_auth;
