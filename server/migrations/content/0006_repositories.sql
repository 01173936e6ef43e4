-- Indexed files belong to a repository: a path is unique within one and never across several. Files from before are in `default`.
alter table index_files add column repo text not null default 'default';
drop index index_files_by_path;
create index index_files_by_path on index_files (org_id, repo, path collate "C");

-- How much meaning counts beside words is measured on the code of each repository. The columns of index_states that held this
-- for the whole organisation stay until no older replica reads them.
create table index_calibrations (
  org_id text not null,
  repo text not null,
  vector_weight real not null check (vector_weight >= 0),
  -- The measurement that the weight comes from.
  calibration json not null,
  primary key (org_id, repo)
);
-- The rows of all organisations: without a reach, row-level security shows none to an owner who is no superuser.
set local cowrie.reach = 'platform';
insert into index_calibrations (org_id, repo, vector_weight, calibration)
select org_id, 'default', vector_weight, calibration from index_states
where vector_weight is not null and calibration is not null;
call public.keep_content('index_calibrations');
