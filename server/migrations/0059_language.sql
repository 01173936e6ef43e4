-- The language of mails to a person. Null: none was chosen, and mails are in English.
alter table users add column language text check (language in ('en', 'fr', 'sw', 'ar'));
