-- Senders look for opt-outs four times a second, which is the guarantee: none leaves later than a second after it was
-- stored. A word with each statement made the commits of those who opt people out wait for each other.
DROP TRIGGER opt_outs_changed ON opt_out;
DROP FUNCTION tell_opt_outs();
