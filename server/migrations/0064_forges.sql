-- Repositories of GitLab and Bitbucket. An installation of the GitHub app has no token of its own; a connection has one, and one
-- repository. The numbers of connections are derived from the host and its id, far above the numbers of GitHub.
alter table vcs_installations
  add column forge text not null default 'github' check (forge in ('github', 'gitlab', 'bitbucket')),
  -- What the host calls the repository.
  add column host_id text,
  add column repo text,
  add column token_sealed text,
  add column webhook_sealed text,
  add column thread_replies boolean not null default true,
  add constraint vcs_installations_connection check (
    (forge = 'github') = (host_id is null) and (forge = 'github') = (repo is null)
    and (forge = 'github') = (token_sealed is null) and (forge = 'github') = (webhook_sealed is null));
