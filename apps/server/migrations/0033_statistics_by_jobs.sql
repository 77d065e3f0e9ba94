-- Jobs that load a table in bulk renew its statistics themselves: autovacuum comes too late for the statement that follows.
GRANT MAINTAIN ON card_upload_row, rate, rate_history, number_list_number, blacklist_number, opt_out TO heliograph_worker;
