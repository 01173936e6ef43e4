// Sentences of the report that do not hold are asked about once, where there is time and money. What still does not hold is left out.
import { present } from '../../kernel/assert.ts'
import { task } from '../../platform/workers/workers.ts'
import { repairMessages, repairsIn } from '../asking/asking.ts'
import type { RepairOutcome, ReportOutcome } from '../next.ts'
import { stepName } from '../next.ts'
import type { UnsupportedInput } from '../report/unsupported-task.ts'
import type { Unsupported } from '../report/verify.ts'
import { findingsOf } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'
import { askOnce } from '../turn.ts'
import { fixedSize } from '../turn-sizes.ts'
import { fenced, Superseded, type Working, writingUntil } from '../working.ts'
import { patiently } from './patient.ts'

const REPAIRED_MAX = 12
// Fewer than this are not worth a turn.
const REPAIRED_LEAST = 2

const unsupported = task<UnsupportedInput, readonly Unsupported[]>(
  new URL('../report/unsupported-task.ts', import.meta.url),
)
// Many times what the longest text takes.
const LOOKED_MS = 20_000

export async function repair(working: Working, { markdown }: ReportOutcome): Promise<void> {
  const { app, run } = working
  const findings = await app.db.tx(run.orgId, (tx) => findingsOf(tx, run))
  const plan = present(run.plan, 'a report has a plan')
  const written = present(markdown, 'what is repaired was written')
  const looked = await patiently(working, unsupported, { markdown: written, findings, plan }, LOOKED_MS)
  const sentences = looked === 'failed' ? [] : looked.value.slice(0, REPAIRED_MAX)
  if (sentences.length < REPAIRED_LEAST) return finish(working, { repairs: [] })
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
