// Condenses the output of a test run to a few kilobytes for models and people, without secrets and colours.
import { redactText } from '../../platform/log/log.ts'
import { PROJECT_FOLDER } from '../bootstrap.ts'
import type { TestFailure } from './reporter.ts'

const BYTES_MAX = 6 << 10
const FIRST_LINES = 40
const LAST_LINES = 120
const FIRST_BYTES = 1 << 10
const FAILURES_BYTES = 2_560
const LINES_MAX = 12_000
/** Replaces lines that are left out. */
export const LINES_LEFT_OUT = '… lines left out …'
const LINE_CHARACTERS_MAX = 2_000
const SHOWN_CHARACTERS_MAX = 400

/** At most 6 KiB: the beginning, each failure, and the end. Short output stays whole. */
export function condenseOutput(
  output: string,
  report: { readonly failures: readonly TestFailure[] },
): string {
  const plain = hideKeys(toPlainLines(toRelativePaths(output)))
  const lines = collapse(plain.map((line) => truncate(line, SHOWN_CHARACTERS_MAX)))
  if (lines.length <= FIRST_LINES + LAST_LINES && fit(lines, BYTES_MAX).length === lines.length) {
    const whole = redactText(lines.join('\n')).trim()
    if (Buffer.byteLength(whole) <= BYTES_MAX) return whole
  }
  const first = fit(lines.slice(0, FIRST_LINES), FIRST_BYTES)
  const failures = fit(report.failures.flatMap(describeFailure), FAILURES_BYTES)
  const head = redactText([...first, '…', ...failures, ...(failures.length > 0 ? ['…'] : [])].join('\n'))
  const last = lines.slice(Math.max(first.length, lines.length - LAST_LINES))
  const room = BYTES_MAX - Buffer.byteLength(head) - 1
  // Redaction can lengthen the text, so it must be fitted again.
  const end = redactText(fitEnd(last, room).join('\n')).split('\n')
  return [head, ...fitEnd(end, room)].join('\n')
}

/** Hides the folder of the sandbox. */
export const toRelativePaths = (output: string): string =>
  output.replaceAll(`file://${PROJECT_FOLDER}/`, '').replaceAll(`${PROJECT_FOLDER}/`, '')

/**
 * Removes colours and terminal commands. Truncates lines at 2,000 characters, and drops the middle of more than
 * 12,000 lines: runners print their summary at the end.
 */
export function toPlainLines(output: string): string[] {
  return boundedLines(output).map((line) =>
    CONTROL.test(line)
      ? truncate(lastWritten(line.replace(TERMINAL, '')), LINE_CHARACTERS_MAX).replace(CONTROLS, '')
      : truncate(line, LINE_CHARACTERS_MAX),
  )
}

/** The first and last lines, without splitting the middle. */
function boundedLines(output: string): string[] {
  let firstEnd = -1
  for (let i = 0; i < LINES_MAX / 4; i++) {
    firstEnd = output.indexOf('\n', firstEnd + 1)
    if (firstEnd === -1) return output.split('\n')
  }
  let lastStart = output.length
  for (let i = 0; i < LINES_MAX * 0.75; i++) {
    lastStart = output.lastIndexOf('\n', lastStart - 1)
    if (lastStart <= firstEnd) return output.split('\n')
  }
  return [
    ...output.slice(0, firstEnd).split('\n'),
    LINES_LEFT_OUT,
    ...output.slice(lastStart + 1).split('\n'),
  ]
}

// Most lines have none and need no copy.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f]/
const CONTROLS = new RegExp(CONTROL, 'g')
const TERMINAL = /\x1b\[[0-?]{0,40}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|\x1b[@-Z\\-_]/g

/** A progress bar overwrites its line; only the last state counts. */
function lastWritten(line: string): string {
  const end = line.endsWith('\r') ? line.slice(0, -1) : line
  return end.slice(end.lastIndexOf('\r') + 1)
}

/** Hides all lines of a private key, even if its first line is cut off later. */
function hideKeys(lines: readonly string[]): string[] {
  let isKey = false
  return lines.map((line) => {
    if (/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(line)) isKey = true
    const isHidden = isKey
    if (/-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/.test(line)) isKey = false
    return isHidden ? '[redacted private key]' : line
  })
}

function collapse(lines: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? ''
    let end = i + 1
    while (end < lines.length && lines[end] === line) end++
    kept.push(end - i > 1 && line.trim() !== '' ? `${line} (×${end - i})` : line)
    i = end
  }
  return kept
}

/** The last lines are the most important. */
const fitEnd = (lines: readonly string[], bytesMax: number): string[] =>
  fit([...lines].reverse(), bytesMax).reverse()

const describeFailure = ({ name, message, frame }: TestFailure): string[] => [
  `✖ ${name}${frame === undefined ? '' : ` (${frame})`}`,
  ...message.split('\n').map((line) => `  ${truncate(line, SHOWN_CHARACTERS_MAX)}`),
]

/** As many lines as fit. */
function fit(lines: readonly string[], bytesMax: number): string[] {
  const kept: string[] = []
  let bytes = 0
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > bytesMax) break
    kept.push(line)
  }
  return kept
}

const truncate = (line: string, charactersMax: number): string =>
  line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line
