// What was sent to which index, so that only changes are sent.
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { isRecord, readKept, writeKept } from '../system/state-file.ts'

/** Digests by path, including files that the service skipped. */
export type Remembered = { indexed: Record<string, string>; skipped: Record<string, string> }

type Needs = Pick<Context, 'places' | 'baseUrl'>

const fileIn = ({ places: { repository } }: Needs): string | null =>
  repository && join(repository.gitFolder, 'cowrie', 'index.json')

/** One index per service, organisation and repository. */
export type IndexId = { readonly orgId: string; readonly repo: string }

const nameOf = ({ baseUrl }: Needs, { orgId, repo }: IndexId): string => `${baseUrl} ${orgId} ${repo}`

export function readRemembered(context: Needs, index: IndexId): Remembered {
  const path = fileIn(context)
  const kept = path && readKept(path, isRecord)?.[nameOf(context, index)]
  return isRecord(kept)
    ? { indexed: digestsIn(kept.indexed), skipped: digestsIn(kept.skipped) }
    : { indexed: {}, skipped: {} }
}

export async function writeRemembered(context: Needs, index: IndexId, remembered: Remembered): Promise<void> {
  const path = fileIn(context)
  if (path) await writeKept(path, { ...readKept(path, isRecord), [nameOf(context, index)]: remembered })
}

const digestsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([path, digest]) =>
      typeof digest === 'string' ? [[path, digest]] : [],
    ),
  )
