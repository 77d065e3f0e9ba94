-- Uploads that ended, and the reports of their refused rows, are removed after a while.
GRANT DELETE ON bulk_upload TO heliograph_worker;
