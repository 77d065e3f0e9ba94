-- contract: demanded: constraint carrier_route_link.carrier_route_link_check CHECK (((from_time IS NULL) = (until_time IS NULL)))
-- contract: demanded: constraint carrier_route_link.carrier_route_link_from_time_check CHECK ((from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'::text))
-- contract: demanded: constraint carrier_route_link.carrier_route_link_until_time_check CHECK ((until_time ~ '^([01]\d|2[0-3]):[0-5]\d$'::text))
-- Times of day of the platform; the end is not included, and may be before the beginning.
ALTER TABLE carrier_route_link
  ADD COLUMN from_time text CHECK (from_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  ADD COLUMN until_time text CHECK (until_time ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  ADD CHECK ((from_time IS NULL) = (until_time IS NULL));
