-- Whether a person has taken or skipped the guided tour of the console. It is for new people: all present ones know it.
ALTER TABLE user_preference ADD COLUMN tour_seen boolean NOT NULL DEFAULT false;
INSERT INTO user_preference (user_id, tour_seen) SELECT id, true FROM user_account
  ON CONFLICT (user_id) DO UPDATE SET tour_seen = true;
