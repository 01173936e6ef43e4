-- The commit history of an indexed repository: a search for a change knows the files of similar changes.
create table index_histories (
  org_id text not null,
  repo text not null,
  -- The name of the newest commit. A call that continues from it adds newer commits.
  latest text not null,
  -- `[{subject, paths}]`, the newest first, without secrets.
  commits json not null,
  commit_count integer not null,
  -- The change of the index that stored it.
  version bigint not null,
  updated_at timestamptz not null,
  primary key (org_id, repo)
);
call public.keep_content('index_histories');
