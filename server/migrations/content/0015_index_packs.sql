-- The searchable data of all chunks of a file in one value, so that an index loads quickly. Null for files from before: the rows of
-- their chunks are read instead.
alter table index_files add column pack bytea;
-- Vectors do not compress.
alter table index_files alter column pack set storage external;
