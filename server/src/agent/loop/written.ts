// What is stored of a loop: its words, and the edits that lead from the files as they came to a state of them.
import { shown, withDropped } from '../result.ts'
import type { Details, Written } from './sql.ts'
import type { Loop } from './state.ts'
import { editsBetween, type Workspace } from './workspace.ts'

const WARNINGS_MAX = 100

export function writtenOf({ plan, state }: Loop, workspace: Workspace, more: Partial<Details> = {}): Written {
  const unapplied = state.failures.map(({ path, message }) => `not_applied: ${shown(path)}: ${message}`)
  return {
    plan: state.plan,
    summary: withDropped(state.summary, [...state.dropped.values()]),
    edits: editsBetween(plan.base, workspace, state.why),
    details: {
      warnings: [...state.warnings, ...unapplied].slice(0, WARNINGS_MAX),
      context: state.context,
      ...more,
    },
  }
}
