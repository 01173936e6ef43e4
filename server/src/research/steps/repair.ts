// Sentences of the report that do not hold are asked about once, where there is time and money. What still does not hold is left out.
import { repairMessages, repairsIn } from '../asking/asking.ts'
import type { RepairOutcome, ReportOutcome } from '../next.ts'
import { stepName } from '../next.ts'
import { findingsOf } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'
import { askOnce } from '../turn.ts'
import { fixedSize } from '../turn-sizes.ts'
import { fenced, Superseded, type Working, writingUntil } from '../working.ts'

// Fewer than this are not worth a turn.
const REPAIRED_LEAST = 2

export async function repair(working: Working, { unsupported: sentences }: ReportOutcome): Promise<void> {
  const { app, run } = working
  if (sentences.length < REPAIRED_LEAST) return finish(working, { repairs: [] })
  const findings = await app.db.tx(run.orgId, (tx) => findingsOf(tx, run))
  const size = fixedSize('repair')
  const without = await askOnce<Map<number, string>>(working, {
    step: stepName.repair,
    purpose: 'repair',
    messages: repairMessages(run.nonce, { sentences, findings }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: writingUntil(run, app.clock.now()),
    again: 0,
    read: ({ text }) => {
      const repairs = repairsIn(text)
      return repairs === null || repairs.size === 0 ? null : repairs
    },
    keep: async (_tx, repairs) => ({
      outcome: { repairs: [...repairs] } satisfies RepairOutcome,
      events: [],
    }),
  })
  // The report is whole without it, so there is nothing to warn of.
  if (without !== null) await finish(working, { repairs: [] })
}

function finish(working: Working, outcome: RepairOutcome): Promise<void> {
  return fenced(working, async (tx) => {
    if (!(await finishStep(tx, working.run, stepName.repair, outcome))) throw new Superseded()
  })
}
