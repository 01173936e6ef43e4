// What is indexed, and how it goes.
import { record } from '../audit/audit.ts'
import type { App } from '../platform/app.ts'
import type { Actor } from '../platform/http/actor.ts'
import { embedderFor } from './embed.ts'
import { fileIdOf } from './file-id.ts'
import { PATHS_LISTED_MAX } from './limits.ts'
import * as sql from './sql.ts'

export async function readIndex(app: App, { orgId, org }: Actor) {
  const { model } = embedderFor(app, org)
  return app.db.tx(orgId, async (tx) => {
    const { bytes, ...totals } = await sql.totalsOf(tx, orgId)
    const listed = await sql.pathsOf(tx, orgId, PATHS_LISTED_MAX)
    return {
      enabled: app.config.retrieval === 'vector',
      ...totals,
      bytes: Number(bytes),
      paths: listed.map(({ path }) => path),
      chunksByPath: listed.map(({ chunks }) => chunks),
      model,
    }
  })
}

/** What nobody has indexed is as gone as what was: that is no refusal. */
export function clearIndex(app: App, actor: Actor, path: string | undefined, ip: string) {
  const { orgId } = actor
  return app.db.tx(orgId, async (tx) => {
    const version = await sql.beginChange(tx, orgId)
    const removed =
      path === undefined
        ? await sql.deleteAll(tx, orgId)
        : await sql.deleteFiles(tx, orgId, [fileIdOf(orgId, path)])
    if (removed.length > 0) await sql.noteRemoval(tx, orgId, version)
    const cleared = removed.length
    const chunks = removed.reduce((sum, file) => sum + file.chunks, 0)
    await record(tx, {
      orgId,
      actor,
      ip,
      action: 'index.clear',
      target: path ?? null,
      metadata: { cleared, chunks },
    })
    return { cleared }
  })
}
