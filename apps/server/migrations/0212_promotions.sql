-- Discounts from the prices of a plan for some days. A promotion never changes, apart from an earlier end: prices are found again
-- by its id.
CREATE TABLE promotion (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  corporation_id bigint REFERENCES corporation, -- owner of the plan; null for the platform
  price_plan_id bigint NOT NULL REFERENCES price_plan,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  percent integer CHECK (percent BETWEEN 1 AND 10000), -- hundredths of a percent off
  price bigint CHECK (price BETWEEN 0 AND 999999), -- thousandths for a part, for numbers that cost more
  prefixes text[] NOT NULL DEFAULT '{}', -- empty: every number
  networks text NOT NULL DEFAULT '', -- names of the networks whose prefixes these were
  corporation_ids bigint[] NOT NULL DEFAULT '{}', -- empty: everybody on the plan
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  starts_at timestamptz NOT NULL, -- the days in the time zone of the seller
  ends_at timestamptz NOT NULL,
  ended_at timestamptz,
  user_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(percent, price) = 1),
  CHECK (ends_on >= starts_on AND ends_at > starts_at)
);
CREATE INDEX promotion_price_plan_id ON promotion (price_plan_id, ends_at);
CREATE INDEX promotion_corporation_id ON promotion (corporation_id);
ALTER TABLE promotion ENABLE ROW LEVEL SECURITY;
ALTER TABLE promotion FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON promotion TO heliograph_api USING (
  (SELECT scope_is_platform()) OR corporation_id = ANY ((SELECT scope_corporations())::bigint[]));
CREATE POLICY inside ON promotion TO CURRENT_USER, heliograph_worker USING (true);
GRANT SELECT, INSERT, UPDATE (ended_at) ON promotion TO heliograph_api;
GRANT SELECT ON promotion TO heliograph_worker;

-- Promotions of a plan that apply to a payer at an instant, by id. Null: none.
CREATE FUNCTION promotions_at(plan_id bigint, payer bigint, instant timestamptz) RETURNS bigint[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT array_agg(p.id ORDER BY p.id) FROM promotion p
  WHERE p.price_plan_id = plan_id AND p.starts_at <= instant AND p.ends_at > instant
    AND (p.ended_at IS NULL OR p.ended_at > instant)
    AND (p.corporation_ids = '{}' OR payer = ANY (p.corporation_ids))
$$;

-- Terms of promotions, for everybody who is priced by them.
CREATE FUNCTION promotion_terms(ids bigint[])
RETURNS TABLE (id bigint, name text, percent integer, price bigint, prefixes text[], ends_on date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT p.id, p.name, p.percent, p.price, p.prefixes, p.ends_on FROM promotion p WHERE p.id = ANY (ids) ORDER BY p.id
$$;
REVOKE EXECUTE ON FUNCTION promotions_at, promotion_terms FROM PUBLIC;
GRANT EXECUTE ON FUNCTION promotions_at, promotion_terms
  TO heliograph_api, heliograph_worker, heliograph_sender, heliograph_intake;
