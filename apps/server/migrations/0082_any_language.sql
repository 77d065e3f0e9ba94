-- The program lists the languages and checks them, so that a further language takes no migration.
ALTER TABLE user_account DROP CONSTRAINT user_account_preferred_language_check;
ALTER TABLE article_translation DROP CONSTRAINT article_translation_locale_check;
