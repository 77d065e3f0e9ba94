-- contract: demanded: constraint carrier_route.carrier_route_quality_floor_check CHECK (((quality_floor >= 1) AND (quality_floor <= 100)))
-- contract: demanded: constraint carrier_route.carrier_route_strategy_check CHECK ((strategy = ANY (ARRAY['position'::text, 'least_cost'::text, 'best_quality'::text, 'cost_with_floor'::text, 'by_class'::text])))
-- Routes choose among their links by cost and quality, within hours and limits of a day.
ALTER TABLE carrier_route
  ADD COLUMN strategy text NOT NULL DEFAULT 'position'
    CHECK (strategy IN ('position', 'least_cost', 'best_quality', 'cost_with_floor', 'by_class')),
  ADD COLUMN quality_floor integer CHECK (quality_floor BETWEEN 1 AND 100), -- percent delivered
  ADD COLUMN avoid_declined boolean NOT NULL DEFAULT false;
