-- Replaces holds_of_quoted_work: only settled holds are read through it, so that a reservation does not write it.
drop index concurrently if exists holds_settled;
create index concurrently holds_settled on holds (created_at) where state = 'settled' and source in ('agent', 'chat');
