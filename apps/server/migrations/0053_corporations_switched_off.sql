-- Senders look for corporations that are switched off every second.
CREATE INDEX corporation_off ON corporation (id) WHERE NOT enabled;
-- Reseller with which a customer was switched off; it is switched on with it again.
-- contract: demanded: constraint corporation.corporation_switched_off_with_fkey FOREIGN KEY (switched_off_with) REFERENCES corporation(id) ON DELETE SET NULL
ALTER TABLE corporation ADD COLUMN switched_off_with bigint REFERENCES corporation ON DELETE SET NULL;
CREATE INDEX corporation_switched_off_with ON corporation (switched_off_with) WHERE switched_off_with IS NOT NULL;
