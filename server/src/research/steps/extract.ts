// Findings of a few pages: claims with the words they rest on, kept only where those words stand on the page.

import { calculateTurnLimits } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { task } from '../../platform/workers/workers.ts'
import { type RunEvent, tell } from '../events.ts'
import { type Step, stepName } from '../next.ts'
import { findingsOf, keepFindings, pagesOf } from '../sources-sql.ts'
import { finishStep } from '../steps-sql.ts'
import type { Finding } from '../terms.ts'
import { askOnce } from '../turn.ts'
import { extractSize } from '../turn-sizes.ts'
import { enter, fenced, readingUntil, Superseded, type Working } from '../working.ts'
import type { Checked, CheckInput } from './check-task.ts'
import { patiently } from './patient.ts'
import type { PromptInput } from './prompt-task.ts'
import { doWithout, type Kept } from './without.ts'

const prompt = task<PromptInput, Message[]>(new URL('./prompt-task.ts', import.meta.url))
const check = task<CheckInput, Checked | null>(new URL('./check-task.ts', import.meta.url))

// Ten times what the longest pages take.
const PROMPT_MS = 10_000
const CHECK_MS = 20_000

type Batch = Omit<CheckInput, 'answer'> & { readonly step: string }

export async function extract(
  working: Working,
  { pass, batch, pages: numbers }: Step & { kind: 'extract' },
): Promise<void> {
  const { app, run } = working
  await enter(working, 'extract', pass)
  const plan = present(run.plan, 'pages are read for a plan')
  const { question } = run
  const one: Batch = await app.db.tx(run.orgId, async (tx) => ({
    step: stepName.extract(pass, batch),
    question,
    plan,
    pages: await pagesOf(tx, run, numbers),
    known: await findingsOf(tx, run),
  }))
  if (run.limits.extractMode === 'quote') return finish(working, one, await quoted(working, one))
  const size = extractSize(one.pages.length)
  const { promptTokens } = calculateTurnLimits(app.config.upstreamContextTokens)
  const tokensMax = Math.min(size.prompt, promptTokens)
  const asked = { question, plan, pages: one.pages, tokensMax }
  const messages = await patiently(working, prompt, { nonce: run.nonce, asked }, PROMPT_MS)
  if (messages === 'failed') return finish(working, one, NOTHING)
  const without = await askOnce<Checked>(working, {
    step: one.step,
    purpose: 'extract',
    messages: messages.value,
    outputTokens: size.output,
    leastOutputTokens: size.leastOutput,
    until: readingUntil(run, app.clock.now()),
    again: 1,
    read: ({ text }) => checked(working, one, text),
    keep: (tx, found) => keepFound(working, tx, found),
  })
  if (without === null) return
  const found = await quoted(working, one)
  await doWithout(working, { step: one.step, what: 'The reading of some pages', without }, (tx) =>
    keepFound(working, tx, found),
  )
}

/** Null when nothing can be read out of the answer, or not in time: an answer of no use is not paid for. */
async function checked(
  working: Working,
  { step: _, ...one }: Batch,
  answer: string,
): Promise<Checked | null> {
  const looked = await patiently(working, check, { ...one, answer }, CHECK_MS)
  return looked === 'failed' ? null : looked.value
}

async function quoted(working: Working, { step: _, ...one }: Batch): Promise<Found> {
  const looked = await patiently(working, check, { ...one, answer: null }, CHECK_MS)
  return (looked === 'failed' ? null : looked.value) ?? NOTHING
}

function finish(working: Working, { step }: Batch, found: Found): Promise<void> {
  const { run } = working
  return fenced(working, async (tx) => {
    const { outcome, events } = await keepFound(working, tx, found)
    if (!(await finishStep(tx, run, step, outcome))) throw new Superseded()
    if (events.length > 0) await tell(tx, run.id, events)
  })
}

type Found = Checked & { readonly isUnread?: true }
/** Of pages that could not be gone through. */
const NOTHING: Found = { added: [], merged: [], lost: 0, isUnread: true }

async function keepFound({ run }: Working, tx: Tx, found: Found): Promise<Kept> {
  const { added, merged, lost } = found
  if (added.length + merged.length > 0) await keepFindings(tx, run, [...merged, ...added])
  return {
    outcome: { added: added.length, dropped: lost },
    events: [...added.map(toldFinding), ...toldDropped(lost), ...(found.isUnread ? [UNREAD] : [])],
  }
}

const UNREAD: RunEvent = {
  kind: 'warning',
  code: 'pages_not_searched',
  message: 'Some pages that were read could not be searched for findings in time.',
}

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
