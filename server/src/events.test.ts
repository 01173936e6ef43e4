// Every log call names a constant event, and docs/events.md lists exactly those events.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSources, type Source, sourceOf, type Token } from '../test/sources.ts'
import { isTest } from '../test/tidy-rules.ts'

const LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error', 'fatal'])
const EVENT = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){1,2}$/

type LogCall = { readonly at: string; readonly level: string; readonly event: string | null }

const sources = readSources(import.meta.dirname).filter((source) => !isTest(source))
const calls = sources.flatMap(logCallsIn)
const documented = documentedEvents(readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8'))

describe('a log call', () => {
  test('has a literal event name: area.subject.what_happened', () => {
    expect(calls.filter((call) => call.event === null).map(({ at }) => at)).toEqual([])
  })

  test('is in docs/events.md with its level', () => {
    const used = calls.flatMap((call) => (call.event ? `${call.event} ${call.level}` : []))
    expect(used.filter((each) => !documented.includes(each))).toEqual([])
  })
})

test('docs/events.md lists each event once, in order, and only events that the server logs', () => {
  const used = new Set(calls.map(({ event, level }) => `${event} ${level}`))
  expect(documented.filter((each) => !used.has(each))).toEqual([])
  expect(documented).toEqual([...new Set(documented)].sort())
})

test.for<[string, string | null]>([
  ["app.log.warn({ runId }, 'agent.run.interrupted')", 'agent.run.interrupted'],
  ["app().log.info(\n  { a: f(1), b },\n  'jobs.claim.failed',\n)", 'jobs.claim.failed'],
  ["onWarning({ err: error }, 'database.clock.read_failed')", 'database.clock.read_failed'],
  ["log.warn({}, 'a sentence')", null],
  ["log.warn({}, 'area.' + name)", null],
  ['log.warn({}, message)', null],
  [`log.warn({}, \`\${area}.failed\`)`, null],
])('%s is read as %s', ([text, event]) => {
  expect(logCallsIn(sourceOf('agent/a.ts', text)).map((call) => call.event)).toEqual([event])
})

function logCallsIn({ path, tokens }: Source): LogCall[] {
  return tokens.flatMap((token, i) => {
    const level = levelOf(tokens, i)
    return level === null ? [] : { at: `${path}:${token.line}`, level, event: eventOf(tokens, i + 1) }
  })
}

/** The level of the log call whose method name is at this token; null when no call starts here. */
function levelOf(tokens: readonly Token[], i: number): string | null {
  const name = tokens[i]?.text ?? ''
  const before = (distance: number) => tokens[i - distance]?.text
  if (tokens[i + 1]?.text !== '(') return null
  if (name === 'onWarning') return 'warn'
  if (!LEVELS.has(name) || before(1) !== '.') return null
  return /^#?log$/.test((before(2) === ')' ? before(4) : before(2)) ?? '') ? name : null
}

/** The last argument of the call whose parenthesis opens here, if it is one string in the format of an event. */
function eventOf(tokens: readonly Token[], open: number): string | null {
  let depth = 0
  let end = open
  do {
    const text = tokens[end]?.text
    if (text === '(') depth++
    if (text === ')') depth--
    end++
  } while (depth > 0 && end < tokens.length)
  const rest = tokens.slice(open + 1, end - 1)
  if (rest.at(-1)?.text === ',') rest.pop()
  const last = rest.at(-1)
  if (last?.kind !== 'string' || rest.at(-2)?.text !== ',') return null
  const event = last.text.slice(1, -1)
  return EVENT.test(event) ? event : null
}

/** The first two columns of every row: `name` and level. */
function documentedEvents(markdown: string): string[] {
  return [...markdown.matchAll(/^\| `([^`]+)` \| (\w+) \|/gm)].map(([, event, level]) => `${event} ${level}`)
}
