// `cowrie undo` outside of a session: takes back the last turn of the stored session that changed files last.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { Failure } from '../errors.ts'
import { listSessions } from '../session/stored.ts'
import type { StoredSession, Undone } from '../session/types.ts'
import { openToolbox } from '../tools/open-toolbox.ts'
import { findRoot } from './root.ts'

export type LastChange = {
  readonly session: StoredSession
  readonly toolsFolder: string
  readonly atMs: number
}

/** The session of this folder with the newest change; null without one. */
export async function lastChange(context: Context): Promise<LastChange | null> {
  const { paths, env } = context
  if (paths.state === null) return null
  const { root } = findRoot(paths, env)
  let last: LastChange | null = null
  for (const session of (await listSessions(paths, root)).sessions) {
    const { toolsFolder, isBusy } = session
    if (toolsFolder === null) continue
    const atMs = await newestIn(join(toolsFolder, 'tools', 'changes', 'undo'))
    if (atMs === null || (last !== null && last.atMs >= atMs)) continue
    if (isBusy)
      throw new Failure('session_in_use', `The session "${session.title}" is open in another terminal.`, {
        next: 'Use /undo there.',
      })
    last = { session, toolsFolder, atMs }
  }
  return last
}

export async function undoLastTurn(context: Context, { toolsFolder }: LastChange): Promise<Undone> {
  const { paths, env, config } = context
  const toolbox = await openToolbox({
    root: findRoot(paths, env).root,
    folder: toolsFolder,
    env,
    home: env.HOME ?? null,
    isDataSaver: false,
    exclude: config.exclude ?? [],
    groups: [],
  })
  try {
    return await toolbox.undo('last')
  } finally {
    await toolbox.close()
  }
}

/** When the newest record of a folder was written. */
export async function newestIn(folder: string): Promise<number | null> {
  const names = await readdir(folder).catch(() => [])
  let newest: number | null = null
  for (const name of names.filter((each) => each.endsWith('.json'))) {
    const { mtimeMs } = await stat(join(folder, name))
    if (newest === null || mtimeMs > newest) newest = mtimeMs
  }
  return newest
}
