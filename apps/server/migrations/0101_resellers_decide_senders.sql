-- A reseller may decide about its customers' sender IDs where the platform lets it.
ALTER TABLE reseller ADD COLUMN decides_senders boolean NOT NULL DEFAULT false;
GRANT SELECT (decides_senders), INSERT (decides_senders), UPDATE (decides_senders) ON reseller TO heliograph_api;
