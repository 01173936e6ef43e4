// Pairs the edits of a run with the original texts, as far as this browser has them.
import type { FileEdit } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Change } from '../../../ui/diff/git-patch.ts'
import type { TaskFile } from '../composer/file-secrets.ts'
import { isOriginal } from './original-files.ts'

/** `before` is null where the original is unknown. */
export type ComparedEdit = { edit: FileEdit; before: string | null }

/** Null while the texts are being compared. */
export function useComparedEdits(
  edits: readonly FileEdit[],
  files: readonly TaskFile[],
): ReadonlySignal<readonly ComparedEdit[] | null> {
  const compared = useSignal<readonly ComparedEdit[] | null>(null)
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

async function compare(edit: FileEdit, files: readonly TaskFile[]): Promise<ComparedEdit> {
  if (edit.action === 'create') return { edit, before: '' }
  const file = files.find(({ path }) => path === edit.path)
  const isKnown = file !== undefined && (await isOriginal(file.content, edit.baseSha256))
  return { edit, before: isKnown ? file.content : null }
}

/** The input of a patch; null if an original is unknown. */
export function changesOf(all: readonly ComparedEdit[]): Change[] | null {
  const changes: Change[] = []
  for (const { edit, before } of all) {
    if (before === null) return null
    changes.push({ path: edit.path, action: edit.action, before, after: edit.content })
  }
  return changes
}

/** The files after the edits, for the next task. */
export function applyEdits(files: readonly TaskFile[], edits: readonly FileEdit[]): TaskFile[] {
  const all = new Map(files.map((file) => [file.path, file]))
  for (const { path, action, content } of edits)
    if (action === 'delete') all.delete(path)
    else all.set(path, { ...all.get(path), path, content })
  return [...all.values()]
}
