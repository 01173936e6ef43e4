// The repository of the user: chosen on the index screen, used by the agent and by chat.

import { session } from '../../data/session.ts'
import { readLocal, writeLocal } from '../../data/storage/local-storage.ts'
import type { PickedFile } from '../../ui/files/picked-files.ts'

export const DEFAULT_REPO = 'default'
const REPO_CHARACTERS_MAX = 200

const keyOf = (orgId: string): string => `cowrie.repo.${orgId}`

/** Null if none was chosen: the service then picks one. */
export const chosenRepo = (orgId: string): string | null => readLocal(keyOf(orgId))

export const chooseRepo = (orgId: string, repo: string): void => writeLocal(keyOf(orgId), repo)

/** As a part of a request. */
export function repoField(orgId: string | null): { repo?: string } {
  const repo = orgId === null ? null : chosenRepo(orgId)
  return repo === null ? {} : { repo }
}

/** A folder is a repository of that name; single files go into the open one. */
export function repoOfFiles(offered: readonly PickedFile[], open: string): string {
  const folders = new Set(offered.map(({ folder }) => folder ?? ''))
  const [name = ''] = folders
  const named = name.normalize('NFC').trim().slice(0, REPO_CHARACTERS_MAX)
  return folders.size === 1 && named !== '' ? named : open
}

export function ownRepo(): { repo?: string } {
  const { value } = session
  return repoField(value.state === 'in' ? value.me.orgId : null)
}
