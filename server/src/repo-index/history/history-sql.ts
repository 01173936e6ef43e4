// SQL of commit histories.
import { json, type Tx } from '../../platform/db/tx.ts'
import type { RepoKey } from '../repo-key.ts'

/** A commit that changed these paths. */
export type Commit = { readonly subject: string; readonly paths: readonly string[] }

/** The newest commit first. */
export type StoredHistory = { readonly latest: string; readonly commits: readonly Commit[] }

export type HistoryTotals = { readonly latest: string; readonly commits: number }

export function readHistory(tx: Tx, { org, repo }: RepoKey): Promise<StoredHistory | undefined> {
  return tx.content.maybe<StoredHistory>`
    select latest, commits from index_histories where org_id = ${org} and repo = ${repo}`
}

export function readHistoryTotals(tx: Tx, { org, repo }: RepoKey): Promise<HistoryTotals | undefined> {
  return tx.content.maybe<HistoryTotals>`
    select latest, commit_count as commits from index_histories where org_id = ${org} and repo = ${repo}`
}

export async function saveHistory(
  tx: Tx,
  { org, repo }: RepoKey,
  version: bigint,
  { latest, commits }: StoredHistory,
): Promise<void> {
  await tx.content.rows`
    insert into index_histories (org_id, repo, latest, commits, commit_count, version, updated_at)
    values (${org}, ${repo}, ${latest}, ${json(commits)}, ${commits.length}, ${version}, ${tx.now})
    on conflict (org_id, repo) do update
    set latest = excluded.latest, commits = excluded.commits, commit_count = excluded.commit_count,
        version = excluded.version, updated_at = excluded.updated_at`
}

/** The history of a repository without files is of no use. */
export async function deleteUnusedHistory(tx: Tx, { org, repo }: RepoKey): Promise<void> {
  await tx.content.rows`
    delete from index_histories where org_id = ${org} and repo = ${repo}
      and not exists (select from index_files where org_id = ${org} and repo = ${repo})`
}

export async function hasFiles(tx: Tx, { org, repo }: RepoKey): Promise<boolean> {
  const { found } = await tx.content.one<{ found: boolean }>`
    select exists (select from index_files where org_id = ${org} and repo = ${repo}) as found`
  return found
}
