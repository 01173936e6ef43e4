// The output of `cowrie exec`: JSON lines, or the answer on standard output and everything else on standard error.
import type { SessionEvent, ToolReport } from '../../session/types.ts'
import { green, plainLines, red } from '../../terminal/line.ts'
import type { Output } from '../../terminal/output.ts'
import { type Change, totalsOf } from '../changes.ts'
import { noteLine, resultText } from '../turn-view.ts'
import type { ExecLine } from './lines.ts'

export type ExecView = {
  line(line: ExecLine): void
  event(event: SessionEvent): void
  /** Ends a line of text that is not complete. */
  end(): void
}

export function openExecView(out: Output, isDataSaver: boolean): ExecView {
  let isMidLine = false
  let shown: { step: number } | null = null

  function endText(): void {
    if (isMidLine) out.raw('\n')
    isMidLine = false
    shown = null
  }

  function text({ step, isNew, text: piece }: { step: number; isNew: boolean; text: string }): void {
    if (shown?.step !== step) endText()
    else if (isNew) {
      endText()
      out.note('The model starts again.')
    }
    shown = { step }
    if (piece === '') return
    out.raw(plainLines(piece))
    isMidLine = !piece.endsWith('\n')
  }

  return {
    line: (line) => {
      if (out.json) out.frame(line, [])
    },
    event(event) {
      if (out.json) {
        const line = lineOf(event, isDataSaver)
        if (line) out.frame(line, [])
        return
      }
      if (event.kind === 'text' && !out.mode.quiet) text(event)
      else if (event.kind === 'report') {
        endText()
        out.note([event.report.ok ? green('✓ ') : red('✗ '), resultText(event.call, event.report)])
      } else if (event.kind === 'note') {
        endText()
        out.note(noteLine(event))
      } else if (event.kind === 'ended' || event.kind === 'call') endText()
    },
    end: endText,
  }
}

function lineOf(event: SessionEvent, isDataSaver: boolean): ExecLine | null {
  if (event.kind === 'text' || event.kind === 'reasoning') {
    if (event.kind === 'reasoning' && isDataSaver) return null
    const { kind, step, isNew, text } = event
    return { kind, step, isNew, text }
  }
  if (event.kind === 'call') {
    const { callId, tool, input } = event.call
    return { kind: 'call', callId, tool, input }
  }
  if (event.kind === 'report') {
    const { callId, tool } = event.call
    const { ok, summary } = event.report
    return { kind: 'report', callId, tool, ok, summary, changes: totalsOf(changesOf(event.report)) }
  }
  if (event.kind === 'meter') {
    const { spentMinor, budgetMinor, balanceMinor, bytesUp, bytesDown } = event.meter
    return { kind: 'meter', spentMinor, budgetMinor, balanceMinor, bytesUp, bytesDown }
  }
  return event.kind === 'note' ? { kind: 'note', note: event.note, detail: event.detail } : null
}

const changesOf = ({ changes = [] }: ToolReport): readonly Pick<Change, 'path' | 'patch'>[] => changes
