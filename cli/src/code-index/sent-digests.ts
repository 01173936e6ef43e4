// The digests of the files sent to each index, so that only changes are sent.
import { join } from 'node:path'
import type { Context } from '../command.ts'
import { isRecord, readState, writeState } from '../system/state-file.ts'

/** Digests by path, including files that the service skipped. */
export type SentDigests = { indexed: Record<string, string>; skipped: Record<string, string> }

type Needs = Pick<Context, 'paths' | 'baseUrl'>

const fileIn = ({ paths: { repository } }: Needs): string | null =>
  repository && join(repository.gitFolder, 'cowrie', 'index.json')

/** One index per service, organisation and repository. */
export type IndexId = { readonly orgId: string; readonly repo: string }

const nameOf = ({ baseUrl }: Needs, { orgId, repo }: IndexId): string => `${baseUrl} ${orgId} ${repo}`

export function readSentDigests(context: Needs, index: IndexId): SentDigests {
  const path = fileIn(context)
  const kept = path && readState(path, isRecord)?.[nameOf(context, index)]
  return isRecord(kept)
    ? { indexed: digestsIn(kept.indexed), skipped: digestsIn(kept.skipped) }
    : { indexed: {}, skipped: {} }
}

export async function writeSentDigests(
  context: Needs,
  index: IndexId,
  remembered: SentDigests,
): Promise<void> {
  const path = fileIn(context)
  if (path) await writeState(path, { ...readState(path, isRecord), [nameOf(context, index)]: remembered })
}

const digestsIn = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([path, digest]) =>
      typeof digest === 'string' ? [[path, digest]] : [],
    ),
  )
