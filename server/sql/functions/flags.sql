-- Revisions of feature flags.

-- Increments the revision once for each statement, so that replicas notice every change, also manual ones.
create or replace function flag_change_counts() returns trigger language plpgsql as $$
begin
  update flag_revision set revision = revision + 1;
  return null;
end $$;

create or replace function flag_stamp() returns trigger language plpgsql as $$
begin
  select revision into strict new.made_at_revision from flag_revision;
  return new;
end $$;

create or replace function flag_override_stamp() returns trigger language plpgsql as $$
begin
  select revision into strict new.revision from flag_revision;
  return new;
end $$;
