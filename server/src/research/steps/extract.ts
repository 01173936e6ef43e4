// Findings of a few pages: claims with the words they rest on, kept only where those words stand on the page.

import { present } from '../../kernel/assert.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { extractMessages, findingsIn, quotedFindings } from '../asking/asking.ts'
import { gateFindings } from '../citing/findings.ts'
import type { RunEvent } from '../events.ts'
import { tell } from '../events.ts'
import { type Step, stepName } from '../next.ts'
import { findingsOf, keepFindings, pagesOf } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'
import type { Finding, Page, Plan, SaidFinding } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { extractSize } from '../turn-sizes.ts'
import { enter, fenced, readingUntil, Superseded, type Working } from '../working.ts'
import { doWithout, type Kept } from './without.ts'

const QUOTED_PER_PAGE = 4
const FINDINGS_MAX = 300

type Batch = {
  readonly step: string
  readonly plan: Plan
  readonly pages: readonly Page[]
  /** What the run has found before. */
  readonly known: readonly Finding[]
}

export async function extract(
  working: Working,
  { pass, batch, pages: numbers }: Step & { kind: 'extract' },
): Promise<void> {
  const { app, run } = working
  await enter(working, 'extract', pass)
  const plan = present(run.plan, 'pages are read for a plan')
  const one: Batch = await app.db.tx(run.orgId, async (tx) => ({
    step: stepName.extract(pass, batch),
    plan,
    pages: await pagesOf(tx, run, numbers),
    known: await findingsOf(tx, run),
  }))
  if (run.limits.extractMode === 'quote') return quote(working, one)
  const shown = new Set(one.pages.map(({ n }) => n))
  const size = extractSize(one.pages.length)
  const { question } = run
  const without = await askOnce<Checked>(working, {
    step: one.step,
    purpose: 'extract',
    messages: extractMessages(run.nonce, { question, plan, pages: one.pages, tokensMax: size.prompt }),
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: readingUntil(run, app.clock.now()),
    again: 1,
    read({ text }) {
      const said = findingsIn(text, { pages: shown, subs: plan.subquestions.length })
      return said && checked(one, said)
    },
    keep: (tx, found) => keepFound(working, tx, found),
  })
  if (without === null) return
  const found = quoted(working, one)
  await doWithout(working, { step: one.step, what: 'The reading of some pages', without }, (tx) =>
    keepFound(working, tx, found),
  )
}

function quote(working: Working, one: Batch): Promise<void> {
  const { run } = working
  const found = quoted(working, one)
  return fenced(working, async (tx) => {
    const { outcome, events } = await keepFound(working, tx, found)
    if (!(await finishStep(tx, run, one.step, outcome))) throw new Superseded()
    if (events.length > 0) await tell(tx, run.id, events)
  })
}

const quoted = ({ run }: Working, one: Batch): Checked =>
  checked(one, quotedFindings(one.plan, run.question, one.pages, { perPage: QUOTED_PER_PAGE }))

type Checked = {
  readonly added: readonly Finding[]
  /** Known ones that have more sources now. */
  readonly merged: readonly Finding[]
  /** How many did not hold. */
  readonly lost: number
}

function checked({ plan, pages, known }: Batch, said: readonly SaidFinding[]): Checked {
  const plain = said.filter(isPlain)
  const { added, merged, dropped } = gateFindings(plain, pages, known, { plan, perRunMax: FINDINGS_MAX })
  // What is known already is no loss.
  const untrue = dropped.filter(({ reason }) => reason !== 'duplicate').length
  return { added, merged, lost: untrue + said.length - plain.length }
}

async function keepFound({ run }: Working, tx: Tx, { added, merged, lost }: Checked): Promise<Kept> {
  if (added.length + merged.length > 0) await keepFindings(tx, run, [...merged, ...added])
  return {
    outcome: { added: added.length, dropped: lost },
    events: [...added.map(toldFinding), ...toldDropped(lost)],
  }
}

// Findings are said in words. What brings addresses, pictures, markup or citations of its own repeats an order of the page.
const NOT_PLAIN = /:\/\/|!\[|\[F\d|<[a-z/!]/i
const isPlain = ({ claim }: SaidFinding): boolean => !NOT_PLAIN.test(claim)

const toldFinding = ({ id, claim, quote, sources }: Finding): RunEvent => ({
  kind: 'finding',
  id,
  claim,
  quote,
  sources,
})

const toldDropped = (dropped: number): RunEvent[] =>
  dropped === 0
    ? []
    : [
        {
          kind: 'warning',
          code: 'findings_dropped',
          message: `${dropped} findings were dropped because their words do not stand on the page or say something else.`,
        },
      ]
