// A turn that makes the tests pass without a correct program, or that touches the judge.
import type { Edit, Files } from './projects.ts'

export type Cheat = {
  readonly name: string
  readonly base: Files
  readonly edit: Edit
  /** Null: detected. */
  readonly command?: string
  /** Found without running anything. */
  readonly isStatic: boolean
  /** The expected reason of a whole verification; none for languages that do not run everywhere. */
  readonly reason?: string
}

export const found = (name: string, base: Files, edit: Edit, reason?: string): Cheat => ({
  name,
  base,
  edit,
  isStatic: true,
  ...(reason !== undefined && { reason }),
})
export const ran = (name: string, base: Files, edit: Edit, reason: string, command?: string): Cheat => ({
  name,
  base,
  edit,
  isStatic: false,
  reason,
  ...(command !== undefined && { command }),
})

export const CHANGED = 'tests_changed'
