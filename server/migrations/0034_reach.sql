-- A function that works with its owner's rights reaches all organisations. It needs not say so: inside it the user is another
-- than who came in. Servers whose owner is no superuser do not let functions set `cowrie.reach`.
create or replace function current_reach() returns text language sql stable parallel safe as $$
  select case when current_user <> coalesce(nullif(current_setting('role'), 'none'), session_user) then 'platform'
              else nullif(current_setting('cowrie.reach', true), '') end
$$;
