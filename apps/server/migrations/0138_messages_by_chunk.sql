-- Messages of a campaign are found by its chunks. The index cost 31 octets a message, and time while campaigns are written.
DROP INDEX message_campaign_id;
