-- Senders look for departments that are switched off every second.
CREATE INDEX department_off ON department (id) WHERE NOT enabled;
