-- The request log becomes partitioned by month in three files. All rows until now, and those of the days of the rollout, stay in
-- their table, which becomes the first partition. Its end is the start of a month, at least three days from now.
-- allow: unreadable, adds a check that is not valid, whose constant depends on the day of the migration
do $$
declare
  past_end timestamptz := (date_trunc('month', greatest(now(), (select max(at) from request_log)) at time zone 'UTC'
    + interval '3 days') + interval '1 month') at time zone 'UTC';
begin
  execute format('alter table request_log add constraint request_log_past check (at < %L) not valid', past_end);
end $$;
