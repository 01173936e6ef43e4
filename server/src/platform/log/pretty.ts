// Log lines for a person at a terminal: 09:00:00 info  listening port=8080
import type { DestinationStream } from 'pino'

const COLOURS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31, fatal: 35 }

export function prettyStream(target: DestinationStream & { isTTY?: boolean }): DestinationStream {
  const colour = target.isTTY === true
  const pretty = (lines: string) =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => prettyLine(line, colour))
      .join('')
  return { write: (lines) => target.write(pretty(lines)) }
}

/** One record as a line of text, with the stack of its error below. Quoting prevents terminal escape sequences. */
export function prettyLine(line: string, colour: boolean): string {
  const { level, time, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>
  const label = String(level).padEnd(5)
  const code = COLOURS[String(level)]
  const shown = colour && code !== undefined ? `\x1b[${code}m${label}\x1b[0m` : label
  const fields = Object.entries(rest).map(([name, value]) => ` ${visible(name)}=${visible(value)}`)
  return `${String(time).slice(11, 19)} ${shown} ${visible(msg)}${fields.join('')}${describe(err)}\n`
}

function describe(error: unknown): string {
  if (error === undefined) return ''
  const stack = error !== null && typeof error === 'object' && 'stack' in error ? error.stack : undefined
  if (typeof stack !== 'string') return ` err=${JSON.stringify(error)}`
  return stack
    .split('\n')
    .map((each) => `\n    ${visible(each.trim())}`)
    .join('')
}

// Printable text is unchanged; other text is escaped as JSON.
function visible(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? ''
  return /^[\x20\x21\x23-\x5b\x5d-\x7e\xa0-\u1fff\u2010-\u2027\u2030-\u2065\u2070-\uffff]*$/.test(value)
    ? value
    : JSON.stringify(value)
}
