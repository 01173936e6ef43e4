// The stored part of a loop: its texts, and the edits from the original files to a workspace.
import { NO_EDITS } from '../run/answer.ts'
import { buildSummary, toNotAppliedWarning } from '../run/result.ts'
import { diffWorkspaces, type WorkspaceFiles } from '../run/workspace.ts'
import type { LoopDetails, LoopRecord } from './sql.ts'
import type { AgentLoop } from './state.ts'

const WARNINGS_MAX = 100

/** `isFree`: nothing is charged, including this turn. */
export function toLoopRecord(
  { plan, state }: AgentLoop,
  workspace: WorkspaceFiles,
  more: Partial<LoopDetails> = {},
  isFree = state.chargedMinor === 0n,
): LoopRecord {
  const edits = diffWorkspaces(plan.base, workspace, state.descriptions)
  const isIdle = edits.length === 0 && state.intendedEdits
  const warnings = [
    ...state.warnings,
    ...(state.isUnparsed ? [NO_EDITS] : []),
    ...(isIdle && isFree ? ['not_charged'] : []),
    ...state.failures.map(toNotAppliedWarning),
  ]
  return {
    // A free result contains only our own text.
    plan: isIdle && isFree ? '' : state.plan,
    summary: buildSummary({
      summary: state.summaries.get(workspace) ?? state.summary,
      edits,
      unresolved: state.failures,
      dropped: [...state.dropped.values()],
      isIdle,
      isFree,
    }),
    edits,
    details: {
      status: isIdle || state.isUnparsed || state.failures.length > 0 ? 'partial' : 'complete',
      warnings: warnings.slice(0, WARNINGS_MAX),
      context: state.context,
      withheld: plan.prepared.secrets.withheld,
      ...more,
    },
  }
}
