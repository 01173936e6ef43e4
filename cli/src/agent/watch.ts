// Shows the progress of a run or loop: one updating line on a terminal, otherwise one line per step.
import type { Context } from '../command.ts'
import type { Result } from '../results/result.ts'
import { writeResult } from '../results/store.ts'
import { formatMoney } from '../spending/money.ts'
import { startTicker } from '../terminal/ticker.ts'
import { advance, started, statusLine, stepLine, type Unit } from './progress.ts'
import { type SendOutcome, send, type Watch } from './send.ts'

/** Sends the request and shows its progress. */
export async function sendWithProgress(
  context: Context,
  result: Result,
  isAgain: boolean,
): Promise<SendOutcome> {
  const { out, values } = context
  const unit: Unit = result.currency ?? { symbol: '', minorUnit: 100 }
  const { maxMinor, loop } = result.order
  let progress = started(loop?.maxIters ?? 1, loop !== null && loop.sandbox !== 'none')
  let state: 'working' | 'stopping' | 'asking' = 'working'
  let written = ''
  const ticking = startTicker(context, (seconds) => {
    if (state === 'stopping') return `stopping · ${seconds} s (press Ctrl-C to quit now)`
    if (state === 'asking') return `checking the outcome · ${seconds} s`
    if (loop) return `${statusLine(progress, seconds, maxMinor, unit)} (Ctrl-C stops after this step)`
    return `waiting for the answer · ${seconds} s · at most ${formatMoney(maxMinor, unit)}`
  })
  const watch: Watch = {
    async frame(frame) {
      progress = advance(progress, frame)
      if (state === 'asking') state = 'working'
      if ('start' in frame) await writeResult(context.paths, { ...result, runId: frame.start.id })
      if (out.json && (values.verbose === true || !('delta' in frame))) out.frame(frame, [])
      if ('step' in frame && !out.mode.live) out.note(stepLine(frame, progress, maxMinor, unit))
      if ('delta' in frame && values.verbose === true)
        written = printCompleteLines(context, written + frame.delta)
      ticking.show(false)
    },
    lost() {
      state = 'asking'
      out.note('The connection was lost. Checking the outcome; nothing is done or charged twice.')
    },
    stopping() {
      state = 'stopping'
      out.note(
        loop
          ? 'Stopping after this step. Finished work is kept.'
          : `A run cannot be stopped half-way. Waiting for it to end; "cowrie runs show ${result.id}" fetches it later.`,
      )
    },
  }
  ticking.show(loop === null)
  try {
    return await send(context, result, watch, isAgain)
  } finally {
    ticking.stop()
  }
}

/** Prints complete lines and returns the rest. */
function printCompleteLines({ out }: Context, text: string): string {
  const lines = text.split('\n')
  for (const line of lines.slice(0, -1)) out.note(line)
  return lines.at(-1) ?? ''
}
