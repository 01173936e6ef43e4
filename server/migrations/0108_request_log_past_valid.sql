-- Reads the table without blocking writes, so that attaching it does not read it under a lock.
alter table request_log validate constraint request_log_past;
