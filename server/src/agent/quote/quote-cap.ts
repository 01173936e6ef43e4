// A quote is binding for one hour: the same task costs at most the quoted amount, even if prices rise.
import { type QuotedWork, quotedMax } from '../../metering/metering.ts'
import type { App } from '../../platform/app.ts'
import type { Actor } from '../../platform/http/actor.ts'
import type { AgentRunRequest } from '../schema.ts'
import { capBudget } from './budget.ts'
import type { PreparedRun } from './prepare.ts'

/** `iterations` is set for loops. */
export function toQuotedWork(
  { orgId, userId }: Actor,
  { prompt, context, repo, frontier, allowSecrets }: AgentRunRequest,
  iterations: number | undefined,
): QuotedWork {
  return {
    orgId,
    userId,
    kind: iterations === undefined ? 'run' : 'loop',
    work: { prompt, context, repo, frontier, iterations, ...(allowSecrets && { allowSecrets }) },
  }
}

export async function applyQuoteCap(
  app: App,
  quoted: QuotedWork,
  prepared: PreparedRun,
): Promise<PreparedRun> {
  const quotedMaxMinor = await quotedMax(app, quoted)
  return quotedMaxMinor === undefined
    ? prepared
    : { ...prepared, budget: capBudget(prepared.budget, quotedMaxMinor) }
}
