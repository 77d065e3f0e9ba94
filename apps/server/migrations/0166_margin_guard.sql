-- Messages that carriers take more for than the platform gets. Only the platform sees them.

-- Messages of programs by day of the platform: refused ones, or those that were taken all the same.
CREATE TABLE margin_loss (
  day date NOT NULL DEFAULT platform_now()::date,
  corporation_id bigint NOT NULL REFERENCES corporation ON DELETE CASCADE,
  link_id bigint NOT NULL, -- the first link of the route; no reference, so that links are not locked here
  network_id bigint NOT NULL, -- 0: not known
  refused boolean NOT NULL,
  currency text NOT NULL, -- of who pays the platform
  messages bigint NOT NULL,
  parts bigint NOT NULL,
  price bigint NOT NULL, -- millionths
  cost bigint NOT NULL, -- millionths, expected
  last_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT margin_loss_key UNIQUE (day, corporation_id, link_id, network_id, refused, currency)
);
CREATE INDEX margin_loss_corporation_id ON margin_loss (corporation_id);
CREATE INDEX margin_loss_link_id ON margin_loss (link_id);

ALTER TABLE margin_loss ENABLE ROW LEVEL SECURITY;
ALTER TABLE margin_loss FORCE ROW LEVEL SECURITY;
CREATE POLICY caller ON margin_loss FOR SELECT TO heliograph_api USING ((SELECT scope_is_platform()));
CREATE POLICY inside ON margin_loss TO CURRENT_USER, heliograph_worker, heliograph_intake USING (true);
GRANT SELECT ON margin_loss TO heliograph_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON margin_loss TO heliograph_worker;
GRANT SELECT, INSERT, UPDATE ON margin_loss TO heliograph_intake;

-- Days whose prices or costs an exchange rate changed are counted again.
ALTER TABLE margin_counted ADD again boolean NOT NULL DEFAULT false;
CREATE FUNCTION count_margins_again() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE margin_counted SET again = true WHERE NOT again AND day >= (SELECT min(day) FROM before_change);
  ELSIF TG_OP = 'INSERT' THEN
    UPDATE margin_counted SET again = true WHERE NOT again AND day >= (SELECT min(day) FROM after_change);
  ELSE
    UPDATE margin_counted SET again = true WHERE NOT again
      AND day >= (SELECT min(day) FROM (SELECT day FROM before_change UNION ALL SELECT day FROM after_change) c);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER margins_after_insert AFTER INSERT ON exchange_rate REFERENCING NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION count_margins_again();
CREATE TRIGGER margins_after_update AFTER UPDATE ON exchange_rate REFERENCING OLD TABLE AS before_change NEW TABLE AS after_change
  FOR EACH STATEMENT EXECUTE FUNCTION count_margins_again();
CREATE TRIGGER margins_after_delete AFTER DELETE ON exchange_rate REFERENCING OLD TABLE AS before_change
  FOR EACH STATEMENT EXECUTE FUNCTION count_margins_again();
