// Reads and clears the index.
import { record } from '../audit/audit.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { embedderFor } from './embedding/embedder.ts'
import { deleteUnusedHistory, readHistoryTotals } from './history/history-sql.ts'
import { PATHS_LISTED_MAX } from './limits.ts'
import { fileIdOf } from './repo-key.ts'
import type { ClearQuery, IndexQuery } from './schema.ts'
import * as sql from './sql.ts'

export async function readIndex(app: App, { orgId, org }: Actor, { repo }: IndexQuery) {
  const { model } = embedderFor(app, org)
  const key = { org: orgId, repo }
  return app.db.tx(orgId, async (tx) => {
    const { bytes, ...totals } = await sql.readTotals(tx, key)
    const listed = await sql.listPaths(tx, key, PATHS_LISTED_MAX)
    const history = await readHistoryTotals(tx, key)
    const repositories = await sql.listRepos(tx, orgId)
    return {
      enabled: app.config.retrieval === 'vector',
      repo,
      ...totals,
      bytes: Number(bytes),
      paths: listed.map(({ path }) => path),
      chunksByPath: listed.map(({ chunks }) => chunks),
      digests: listed.map(({ digest }) => digest),
      model,
      history: history ?? null,
      repositories: repositories.map((each) => ({ ...each, bytes: Number(each.bytes) })),
    }
  })
}

/** Removing a path or repository that is not indexed succeeds. */
export function clearIndex(app: App, actor: Actor, { repo, path }: ClearQuery, ip: string) {
  const { orgId } = actor
  const key = { org: orgId, repo }
  return app.db.tx(orgId, async (tx) => {
    const version = await sql.beginChange(tx, orgId)
    const removed =
      path === undefined
        ? await sql.deleteRepo(tx, key)
        : await sql.deleteFiles(tx, orgId, [fileIdOf(key, path)])
    if (removed.length > 0) await sql.recordRemoval(tx, orgId, version)
    await deleteUnusedHistory(tx, key)
    const cleared = removed.length
    const chunks = removed.reduce((sum, file) => sum + file.chunks, 0)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'index.clear',
      target: path ?? null,
      metadata: { repo, cleared, chunks },
    })
    return { cleared }
  })
}
