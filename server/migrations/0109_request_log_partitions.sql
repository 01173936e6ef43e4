-- Replaces the request log by a partitioned table of the same name. Changes only the catalog, in one short transaction. The primary
-- key contains the time already. Releases before this one read, write and delete as before.
-- allow: unreadable, the bound of the first partition is in its check, which depends on the day of the migration
do $$
declare
  past_end timestamptz;
  month timestamp;
  child text;
begin
  lock table request_log in access exclusive mode;
  select (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1]::timestamptz into strict past_end
    from pg_constraint where conrelid = 'request_log'::regclass and conname = 'request_log_past';
  alter table request_log rename to request_log_past;
  alter index request_log_pkey rename to request_log_past_pkey;
  alter index request_log_by_user rename to request_log_past_by_user;
  alter index request_log_by_key rename to request_log_past_by_key;
  alter index request_log_by_time rename to request_log_past_by_time;
  alter index request_log_by_request rename to request_log_past_by_request;

  create table request_log (
    like request_log_past including defaults including constraints, primary key (org_id, at, id)
  ) partition by range (at);
  alter table request_log drop constraint request_log_past;
  create index request_log_by_user on request_log (org_id, user_id, at);
  create index request_log_by_key on request_log (key_id, at) where key_id is not null;
  create index request_log_by_time on request_log (at);
  create index request_log_by_request on request_log (request_id) where request_id is not null;
  call enable_tenant_rls('request_log');

  execute format('alter table request_log attach partition request_log_past for values from (minvalue) to (%L)', past_end);
  for i in 0..3 loop
    month := past_end at time zone 'UTC' + i * interval '1 month';
    child := 'request_log_' || to_char(month, 'YYYY_MM');
    execute format('create table %I partition of request_log for values from (%L) to (%L)', child, month at time zone 'UTC',
      (month + interval '1 month') at time zone 'UTC');
    call enable_tenant_rls(child::regclass);
    if exists (select from pg_roles where rolname = 'cowrie_app') then
      execute format('revoke all on %I from cowrie_app', child);
    end if;
  end loop;
  -- A month without a partition: writes succeed, and operators are alerted.
  create table request_log_rest partition of request_log default;
  call enable_tenant_rls('request_log_rest');
  -- The service uses the partitions through their parent.
  if exists (select from pg_roles where rolname = 'cowrie_app') then
    revoke all on request_log_past, request_log_rest from cowrie_app;
  end if;
end $$;
