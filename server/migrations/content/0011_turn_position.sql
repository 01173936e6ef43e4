-- The number of the last event before the turn, so that a device reads one turn without the earlier ones. Null for older turns.
alter table task_turns add column after_seq integer check (after_seq >= 0);
