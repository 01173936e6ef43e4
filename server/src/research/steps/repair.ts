// Repairs unsupported sentences of the report once, if time and budget allow. Sentences that stay unsupported are
// dropped.

import { runTurn } from '../engine/model-turn.ts'
import { type RepairOutcome, type ReportOutcome, stepName } from '../engine/next-step.ts'
import { type RunContext, SupersededError, withFence, writingDeadline } from '../engine/run-context.ts'
import { fixedSize } from '../pricing/turn-lanes-sizes.ts'
import { parseRepairs, repairMessages } from '../prompts/repair-prompt.ts'
import { finishStep } from '../runs-sql.ts'
import { listFindings } from '../sources-sql.ts'

// Fewer are not worth a turn.
const REPAIRS_MIN = 2

export async function repairReport(
  context: RunContext,
  { unsupported: sentences }: ReportOutcome,
): Promise<void> {
  const { app, run } = context
  if (sentences.length < REPAIRS_MIN) return finishRepair(context, { repairs: [] })
  const findings = await app.db.tx(run.orgId, (tx) => listFindings(tx, run))
  const size = fixedSize('repair')
  const without = await runTurn<Map<number, string>>(context, {
    step: stepName.repair,
    purpose: 'repair',
    messages: repairMessages(run.nonce, { sentences, findings }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    deadline: writingDeadline(run, app.clock.now()),
    retries: 0,
    parse: ({ text }) => {
      const repairs = parseRepairs(text)
      return repairs === null || repairs.size === 0 ? null : repairs
    },
    save: async (_tx, repairs) => ({
      outcome: { repairs: [...repairs] } satisfies RepairOutcome,
      events: [],
    }),
  })
  // The report is complete without repairs, so there is no warning.
  if (without !== null) await finishRepair(context, { repairs: [] })
}

function finishRepair(context: RunContext, outcome: RepairOutcome): Promise<void> {
  return withFence(context, async (tx) => {
    if (!(await finishStep(tx, context.run, stepName.repair, outcome))) throw new SupersededError()
  })
}
