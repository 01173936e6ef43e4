-- Set while a member who was added by their address has not opened the team yet. Until then the team learns nothing about their
-- account: not whether it existed before, and not its name.
alter table memberships add column invited_at timestamptz;
update memberships m set invited_at = m.created_at from users u where u.id = m.user_id and u.verified_at is null;
