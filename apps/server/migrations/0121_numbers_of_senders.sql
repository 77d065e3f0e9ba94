-- A migration of its own, as `sender_id` is busy.
CREATE TRIGGER record_number AFTER INSERT OR DELETE OR UPDATE OF sender_id, corporation_id, withheld ON sender_id
  FOR EACH ROW EXECUTE FUNCTION record_sender_number();
