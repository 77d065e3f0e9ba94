-- A migration of its own, as `routing` is busy.
CREATE TRIGGER record_number AFTER INSERT OR DELETE OR UPDATE OF number, corporation_id, withheld ON routing
  FOR EACH ROW EXECUTE FUNCTION record_routing_number();
