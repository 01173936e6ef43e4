// The unchanged lines of a file, read when they are asked for.
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { linesOf } from '../../../ui/diff/diff.ts'
import type { ShownLines } from '../../../ui/diff/fold.ts'
import type { ChangedFile } from './changed-files.ts'

export type FileContent = {
  readonly lines: ReadonlySignal<readonly string[] | null>
  readonly shown: ReadonlySignal<readonly (ShownLines | undefined)[]>
  readonly failure: ReadonlySignal<ApiFailure | null>
  show(gap: number, where: 'top' | 'bottom', count: number): Promise<void>
}

export function useFileContent(taskId: string, { path, sha256 }: ChangedFile): FileContent {
  const lines = useSignal<readonly string[] | null>(null)
  const shown = useSignal<readonly (ShownLines | undefined)[]>([])
  const failure = useSignal<ApiFailure | null>(null)
  // Another version has other lines between its hunks.
  useEffect(() => {
    lines.value = null
    shown.value = []
  }, [sha256])
  return {
    lines,
    shown,
    failure,
    async show(gap, where, count) {
      failure.value = null
      try {
        lines.value ??= linesOf(await api.tasks.file(taskId, path))
      } catch (error) {
        failure.value = asFailure(error)
        return
      }
      const next = [...shown.value]
      const before = next[gap] ?? { top: 0, bottom: 0 }
      next[gap] = { ...before, [where]: before[where] + count }
      shown.value = next
    },
  }
}
