-- The key that created a key. Revoking a key revokes what it created. Null: created by a person, or before this was recorded.
alter table api_keys add column parent_id text references api_keys;
create index api_keys_by_parent on api_keys (parent_id) where parent_id is not null;
