-- The code index: files as they were sent, cut into chunks that are searched by words and by meaning.

-- One row for each organisation that has an index, which is also the lock of whoever changes it.
create table index_states (
  org_id text primary key,
  -- Counts changes, so that whoever keeps the index in memory knows what is new.
  version bigint not null default 0,
  -- When something was last removed: then what is kept in memory is compared as a whole.
  removed_version bigint not null default 0,
  -- How much meaning counts beside words, as measured on this code; null until it could be measured.
  vector_weight real check (vector_weight >= 0),
  -- What it was measured by.
  calibration json,
  updated_at timestamptz not null
);
call public.keep_content('index_states');

create table index_files (
  -- Made from the organisation and the path: a path is there once.
  id text primary key,
  org_id text not null,
  path text not null,
  -- Of the text as it was sent. The same text and model need not be indexed again.
  sha256 text not null,
  model text not null,
  language text not null,
  bytes integer not null,
  chunks integer not null,
  -- The change that brought it.
  version bigint not null,
  indexed_at timestamptz not null
);
create index index_files_by_path on index_files (org_id, path collate "C");
create index index_files_by_version on index_files (org_id, version);
create index index_files_by_time on index_files (org_id, indexed_at, id);
call public.keep_content('index_files');

create table index_chunks (
  file_id text not null references index_files on delete cascade,
  ord integer not null,
  org_id text not null,
  kind text not null,
  symbol text not null,
  scope text not null,
  start_line integer not null,
  end_line integer not null,
  -- Without secrets: they are struck out before anything is stored.
  content text not null,
  tokens integer not null,
  -- Terms and their weights in turn, and how many there are in the content.
  terms text not null,
  length integer not null,
  model text not null,
  -- One byte for each dimension.
  embedding bytea not null,
  primary key (file_id, ord)
);
create index index_chunks_by_org on index_chunks (org_id, file_id, ord);
call public.keep_content('index_chunks');
