// What is stored of a loop: its words, and the edits that lead from the files as they came to a state of them.
import { NO_EDITS } from '../answer.ts'
import { notApplied, summaryOf } from '../result.ts'
import type { Details, Written } from './sql.ts'
import type { Loop } from './state.ts'
import { editsBetween, type Workspace } from './workspace.ts'

const WARNINGS_MAX = 100

/** `isFree`: nothing has been charged so far, and nothing is with this. */
export function writtenOf(
  { plan, state }: Loop,
  workspace: Workspace,
  more: Partial<Details> = {},
  isFree = state.chargedMinor === 0n,
): Written {
  const edits = editsBetween(plan.base, workspace, state.why)
  const isIdle = edits.length === 0 && state.hasTried
  const warnings = [
    ...state.warnings,
    ...(state.isUnread ? [NO_EDITS] : []),
    ...(isIdle && isFree ? ['not_charged'] : []),
    ...state.failures.map(notApplied),
  ]
  return {
    // What is free brings nothing but our own words.
    plan: isIdle && isFree ? '' : state.plan,
    summary: summaryOf({
      summary: state.summaries.get(workspace) ?? state.summary,
      edits,
      unresolved: state.failures,
      dropped: [...state.dropped.values()],
      isIdle,
      isFree,
    }),
    edits,
    details: {
      status: isIdle || state.isUnread || state.failures.length > 0 ? 'partial' : 'complete',
      warnings: warnings.slice(0, WARNINGS_MAX),
      context: state.context,
      withheld: plan.prepared.secrets.withheld,
      ...more,
    },
  }
}
