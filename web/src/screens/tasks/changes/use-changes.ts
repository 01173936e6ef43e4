// The difference of a task, and what a person does with it: reject, revert and undo.
import type { TaskDiff } from '@cowrie/sdk'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { type ApiFailure, asFailure } from '../../../data/failure.ts'
import { type Resource, useResource } from '../../../data/resource.ts'
import type { Hunk } from '../../../ui/diff/diff.ts'
import { type ChangedFile, merged } from './changed-files.ts'

export type Rejection = { readonly file: ChangedFile; readonly hunks?: readonly Hunk[] }
/** The state before the last action. `what` is a sentence about it. */
export type Undo = { readonly what: string; readonly change: number; readonly ifChange: number }

export type TaskChanges = {
  readonly resource: Resource<TaskDiff>
  /** The current difference; null before the first answer. */
  readonly diff: ReadonlySignal<TaskDiff | null>
  readonly isBusy: ReadonlySignal<boolean>
  readonly failure: ReadonlySignal<ApiFailure | null>
  readonly undo: ReadonlySignal<Undo | null>
  reject(rejected: readonly Rejection[], what: string): Promise<boolean>
  revertAll(what: string): Promise<void>
  takeBack(): Promise<void>
}

export function useChanges(taskId: string, fromTurn: string | undefined): TaskChanges {
  const from = fromTurn === undefined ? {} : { from: fromTurn }
  const resource = useResource(`task-diff ${taskId} ${fromTurn ?? ''}`, () => api.tasks.diff(taskId, from))
  /** Our own reply is newer than the last difference. */
  const newer = useSignal<TaskDiff | null>(null)
  const diff = useSignal<TaskDiff | null>(null)
  const isBusy = useSignal(false)
  const failure = useSignal<ApiFailure | null>(null)
  const undo = useSignal<Undo | null>(null)
  const read = resource.current.value
  useEffect(() => {
    newer.value = null
    undo.value = null
  }, [taskId, fromTurn])
  const loaded = read.state === 'ready' ? read.value : null
  const shown = newer.value && loaded && newer.value.change > loaded.change ? newer.value : loaded
  if (diff.peek() !== shown) diff.value = shown

  async function act(work: () => Promise<void>): Promise<boolean> {
    if (isBusy.peek()) return false
    isBusy.value = true
    failure.value = null
    try {
      await work()
      return true
    } catch (error) {
      failure.value = asFailure(error)
      if (failure.value.code === 'files_changed') {
        undo.value = null
        await resource.load()
      }
      return false
    } finally {
      isBusy.value = false
    }
  }

  return {
    resource,
    diff,
    isBusy,
    failure,
    undo,
    reject: (rejected, what) =>
      act(async () => {
        const files = rejected.map(({ file: { path, sha256 }, hunks }) => ({
          path,
          sha256,
          ...(hunks && { hunks: hunks.map(({ oldStart, newStart }) => ({ oldStart, newStart })) }),
        }))
        const reply = await api.tasks.reject(taskId, { ...from, files })
        if (diff.peek()) newer.value = merged(diff.peek() as TaskDiff, reply)
        undo.value = { what, change: reply.before, ifChange: reply.change }
      }),
    async revertAll(what) {
      await act(async () => {
        const before = diff.peek()?.change ?? 0
        const to = fromTurn === undefined ? { change: 0 } : { turnId: fromTurn }
        const { change } = await api.tasks.revert(taskId, { ...to, ifChange: before })
        undo.value = { what, change: before, ifChange: change }
        await resource.load()
      })
    },
    async takeBack() {
      const last = undo.peek()
      if (!last) return
      await act(async () => {
        await api.tasks.revert(taskId, { change: last.change, ifChange: last.ifChange })
        undo.value = null
        await resource.load()
      })
    },
  }
}
