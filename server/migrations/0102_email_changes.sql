-- Changes of the address of an account. The new mailbox confirms one, and the old mailbox can cancel or undo it.
create table email_changes (
  id text primary key,
  user_id text not null references users,
  old_email text not null check (length(old_email) <= 254),
  new_email text not null check (length(new_email) <= 254),
  -- Hashes of the mailed tokens: to confirm, to cancel, and to undo after the confirmation.
  confirm_hash bytea not null unique,
  cancel_hash bytea not null unique,
  undo_hash bytea unique,
  -- `replaced`: by a newer request; `closed`: cancelled or undone.
  state text not null check (state in ('pending', 'replaced', 'done', 'closed')),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  -- Until then the links of the old mailbox work.
  revert_until timestamptz not null,
  check ((state = 'done') <= (undo_hash is not null))
);
create unique index email_changes_pending on email_changes (user_id) where state = 'pending';
create index email_changes_by_user on email_changes (user_id, requested_at);
create index email_changes_by_end on email_changes (revert_until);
