-- Replaces holds_of_quoted_work_by_org: only settled holds are read through it, so that a reservation does not write it.
drop index concurrently if exists holds_settled_by_org;
create index concurrently holds_settled_by_org on holds (org_id, created_at) where state = 'settled' and source in ('agent', 'chat');
