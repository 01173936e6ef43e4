// The progress of a run: one updating line, and permanent lines for searches, sources and findings.
import type { Currency } from '@cowrie/sdk'
import { formatMoney } from '../spending/money.ts'
import { bold, dim, type Line, yellow } from '../terminal/line.ts'
import type { Output } from '../terminal/output.ts'
import type { Frame } from './follow.ts'
import { PHASES } from './labels.ts'

export function createProgress(out: Output, currency: Currency, budgetMinor: bigint): (frame: Frame) => void {
  let phase = PHASES.queued
  let spentMinor = 0n
  let read = 0
  return (frame) => {
    if (out.json) return out.frame(frame, [])
    if (frame.kind === 'phase') phase = PHASES[frame.phase]
    if (frame.kind === 'turn') spentMinor = frame.spentMinor
    if (frame.kind === 'source' && frame.status === 'read') read++
    for (const line of linesOf(frame)) out.note(line)
    const money = `${formatMoney(spentMinor, currency)} of at most ${formatMoney(budgetMinor, currency)}`
    const text = `${phase} · ${read} ${read === 1 ? 'source' : 'sources'} · ${money} (Ctrl-C stops following only)`
    out.progress(text, frame.kind === 'phase')
  }
}

function linesOf(frame: Frame): Line[] {
  switch (frame.kind) {
    case 'plan':
      return frame.subquestions.map((question) => ['  ? ', question])
    case 'needs':
      return frame.questions.map((question) => ['  ? ', bold(question)])
    case 'search':
      return [[dim(`  search ${frame.pass}: ${frame.query} (${frame.trouble ?? `${frame.hits} found`})`)]]
    case 'source':
      return frame.status === 'read' ? [[dim(`  [${frame.n}] ${frame.title} ${frame.url}`)]] : []
    case 'finding':
      return [['  ', bold(frame.claim), ` ${frame.sources.map((n) => `[${n}]`).join('')}`]]
    case 'warning':
      return [[yellow(`  ${frame.message}`)]]
    default:
      return []
  }
}
