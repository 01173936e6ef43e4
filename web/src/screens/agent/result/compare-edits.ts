// The edits of a run beside what they were made from, as far as that is known here.
import type { FileEdit } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Change } from '../../../ui/diff/git-patch.ts'
import type { TaskFile } from '../composer/file-secrets.ts'
import { isBase } from './original-files.ts'

/** `before` is null where it is not known here. */
export type Compared = { edit: FileEdit; before: string | null }

/** Null while the texts are being looked at. */
export function useCompared(
  edits: readonly FileEdit[],
  files: readonly TaskFile[],
): ReadonlySignal<readonly Compared[] | null> {
  const compared = useSignal<readonly Compared[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    void Promise.all(edits.map((edit) => compare(edit, files))).then((all) => {
      if (isCurrent) compared.value = all
    })
    return () => {
      isCurrent = false
    }
  }, [edits, files])
  return compared
}

async function compare(edit: FileEdit, files: readonly TaskFile[]): Promise<Compared> {
  if (edit.action === 'create') return { edit, before: '' }
  const file = files.find(({ path }) => path === edit.path)
  const isKnown = file !== undefined && (await isBase(file.content, edit.baseSha256))
  return { edit, before: isKnown ? file.content : null }
}

/** What a patch is made of; null when something is not known. */
export function changesOf(all: readonly Compared[]): Change[] | null {
  const changes: Change[] = []
  for (const { edit, before } of all) {
    if (before === null) return null
    changes.push({ path: edit.path, action: edit.action, before, after: edit.content })
  }
  return changes
}

/** The files as they are with the edits: what the next task goes on from. */
export function edited(files: readonly TaskFile[], edits: readonly FileEdit[]): TaskFile[] {
  const all = new Map(files.map((file) => [file.path, file]))
  for (const { path, action, content } of edits)
    if (action === 'delete') all.delete(path)
    else all.set(path, { ...all.get(path), path, content })
  return [...all.values()]
}
