// Shows the events of a turn: the answer as it arrives, each call with its result, and the current activity.
import type { SessionEvent, ToolCall, ToolReport } from '../session/types.ts'
import { bold, dim, green, type Line, plain, red } from '../terminal/line.ts'
import type { AnswerView, Screen } from '../terminal/screen-types.ts'

export type TurnView = {
  show(event: SessionEvent): void
  end(): void
}

type Options = {
  /** No reasoning, and short results. */
  readonly isDataSaver: boolean
  readonly onMeter: (meter: Extract<SessionEvent, { kind: 'meter' }>['meter']) => void
}

const DETAIL_LINES = 80
const DETAIL_LINES_SAVER = 12
const TAIL_LINES = 5
const TAIL_CHARACTERS = 4_000

export function openTurnView(screen: Screen, { isDataSaver, onMeter }: Options): TurnView {
  let answer: { view: AnswerView; kind: 'text' | 'reasoning'; step: number } | null = null
  const running = new Map<string, ToolCall>()
  const tails = new Map<string, string>()
  /** Whether the last event was an attempt that failed. Further ones print nothing. */
  let isRetrying = false
  /** The last news of the connection, until the turn moves on. */
  let connection: 'offline' | 'online' | null = null
  screen.setActivity('Thinking')

  function endAnswer(): void {
    answer?.view.end()
    answer = null
  }

  function write({ kind, step, isNew, text }: Extract<SessionEvent, { kind: 'text' | 'reasoning' }>): void {
    if (kind === 'reasoning' && isDataSaver) return
    if (answer?.kind === kind && answer.step === step) {
      if (isNew) answer.view.restart()
    } else {
      endAnswer()
      answer = { view: screen.openAnswer(kind), kind, step }
    }
    answer.view.write(text)
  }

  function showActivity(): void {
    const [first, ...others] = running.values()
    if (!first) screen.setActivity(connection ? WAITS[connection] : 'Thinking')
    else screen.setActivity(`${callText(first)}${others.length > 0 ? ` and ${others.length} more` : ''}`)
  }

  function follow(event: SessionEvent): void {
    const before = connection
    if (event.kind === 'note' && (event.note === 'offline' || event.note === 'online'))
      connection = event.note
    else if (event.kind !== 'output') connection = null
    if (connection !== before) showActivity()
  }

  function report(call: ToolCall, result: ToolReport): void {
    running.delete(call.callId)
    if (tails.delete(call.callId)) screen.setTail([])
    endAnswer()
    screen.print(reportLines(call, result, isDataSaver ? DETAIL_LINES_SAVER : DETAIL_LINES))
    showActivity()
  }

  return {
    show(event) {
      const isRetryAgain = isRetrying && event.kind === 'note' && event.note === 'retrying'
      follow(event)
      if (event.kind !== 'meter') isRetrying = event.kind === 'note' && event.note === 'retrying'
      if (isRetryAgain) return
      if (event.kind === 'text' || event.kind === 'reasoning') write(event)
      else if (event.kind === 'call') {
        endAnswer()
        running.set(event.call.callId, event.call)
        showActivity()
      } else if (event.kind === 'output') {
        const text = ((tails.get(event.callId) ?? '') + event.text).slice(-TAIL_CHARACTERS)
        tails.set(event.callId, text)
        screen.setTail(lastLines(text, isDataSaver ? 1 : TAIL_LINES))
      } else if (event.kind === 'report') report(event.call, event.report)
      else if (event.kind === 'meter') onMeter(event.meter)
      else if (event.kind === 'note') {
        endAnswer()
        screen.print(event.note === 'elsewhere' ? messageLines(event.detail) : [noteLine(event)])
      } else endAnswer()
    },
    end() {
      endAnswer()
      screen.setTail([])
      screen.setActivity(null)
    },
  }
}

/** The service takes up the turn of a process that died when its lease has passed: 60 seconds and a grace of 30, unless its operator changed that. */
const WAITS = {
  offline: 'Waiting for the connection, at most an hour',
  online: 'Waiting for the service, which continues after a crash within about two minutes',
} as const

/** One line about a result, and its details such as a diff. */
function reportLines(call: ToolCall, report: ToolReport, detailLinesMax: number): Line[] {
  const { ok, details = [] } = report
  const cut = details.length - detailLinesMax
  return [
    [ok ? green('✓ ') : red('✗ '), resultText(call, report)],
    ...details.slice(0, detailLinesMax),
    ...(cut > 0 ? [[dim(`  … ${cut} more lines, see /diff`)]] : []),
  ]
}

/** The tool with its most telling argument: `read src/a.ts`, `run npm test`. */
export function callText({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): string {
  const subject = subjectOf(input)
  return subject === undefined ? tool : `${tool} ${subject}`
}

/** The call with its result, unless the result names the subject: `run npm test: exit code 0 after 2.1 s`. */
export function resultText(call: Pick<ToolCall, 'tool' | 'input'>, { summary }: ToolReport): string {
  const text = summary.trim().replace(/[.:]$/, '')
  const subject = subjectOf(call.input)
  return subject !== undefined && text.includes(subject) ? text : `${callText(call)}: ${text}`
}

function subjectOf({ command, path, query, pattern, question }: ToolCall['input']): string | undefined {
  const found = [command, path, query, pattern, question].find(
    (each): each is string => typeof each === 'string' && each !== '',
  )
  return found === undefined ? undefined : plain(found).slice(0, SUBJECT_CHARACTERS)
}

const SUBJECT_CHARACTERS = 120

const lastLines = (text: string, count: number): string[] =>
  text
    .replace(/\r(?!\n)[^\n]*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-count)

const NOTES: Readonly<Record<Extract<SessionEvent, { kind: 'note' }>['note'], string>> = {
  compacted: 'A summary replaces the earlier conversation.',
  retrying: 'The model did not answer; trying again.',
  verifying: 'Checking the result.',
  offline: 'No connection. The turn continues when the network is back.',
  online: 'Connected again.',
  resumed: 'Continuing the open turn.',
  elsewhere: 'From another device:',
}

/** A message that was sent from the web or another device. */
const messageLines = (text: string): Line[] => [
  [dim(NOTES.elsewhere)],
  ...text.split('\n').map((line): Line => [bold('> '), line]),
]

export function noteLine({
  note,
  detail,
}: Pick<Extract<SessionEvent, { kind: 'note' }>, 'note' | 'detail'>): Line {
  return [dim(detail === '' ? NOTES[note] : `${NOTES[note]} ${detail}`)]
}
