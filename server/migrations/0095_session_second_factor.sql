-- When the person last showed a second factor in this session. Null: never.
alter table sessions add column second_factor_at timestamptz;
