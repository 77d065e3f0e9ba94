-- One name, whatever its case, blanks, width or composition. The program before names the old constraint where it writes.
-- contract: demanded: unique index role.role_name_once
ALTER TABLE role DROP CONSTRAINT role_name_key;
SELECT part_names('role', 'name', 'roles', 'NULL', 60);
ALTER TABLE role ADD CONSTRAINT role_name_key UNIQUE (name);
CREATE UNIQUE INDEX role_name_once ON role (name_key(name));
