-- A name or key is unique among what its owner sees: a refusal tells a tenant of nobody else's record. Each table has its own
-- migration, so that no two of them are locked together.
-- A reseller's customers by name; those of the platform, and resellers, among themselves. The demand is weaker than the one before.
-- contract: demanded: constraint corporation.corporation_name_key UNIQUE NULLS NOT DISTINCT (reseller_id, name)
ALTER TABLE corporation DROP CONSTRAINT corporation_name_key;
ALTER TABLE corporation ADD CONSTRAINT corporation_name_key UNIQUE NULLS NOT DISTINCT (reseller_id, name);
