-- Time at which the person of a session last proved that it is them. Sessions that began before have not: they are asked.
ALTER TABLE session ADD COLUMN proved_at timestamptz;
