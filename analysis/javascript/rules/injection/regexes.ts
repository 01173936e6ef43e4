// Rules about slow and injected regular expressions.
import { analyse } from 'scslre'
import { type AbstractValue, UNTAINTED } from '../../../abstract-value.ts'
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { parseRegex, regexOf } from '../../model/regex-characters.ts'
import { findTaint, flowHit, textBefore } from '../taint-flow.ts'

export const regexRules: readonly Rule[] = [
  {
    id: 'JS-REDOS-01',
    title: 'A regular expression can take exponential or polynomial time',
    cwe: 1333,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The pattern can match the same text in very many ways. A few dozen characters keep the process busy for minutes, and it serves no other request.',
    fix: 'Make the repeated part unambiguous, reject long texts before matching, or use a matcher without backtracking.',
    on: { call: slowMatch },
  },
  {
    id: 'JS-REDOS-02',
    title: 'A regular expression is built from input',
    cwe: 1333,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'An attacker can send a pattern that takes very long, or one that matches unintended text.',
    fix: 'Escape the text first (`RegExp.escape`), or compare strings with `includes`.',
    on: {
      call(event) {
        return event.name === 'RegExp'
          ? flowHit(event.expr.at, event.arg(0)?.value, { sinks: ['regex'] })
          : undefined
      },
    },
  },
]

function slowMatch(event: CallEvent): Hit | undefined {
  const use = useOf(event)
  const pattern = use && regexOf(use.pattern)
  if (!use || !pattern || !/[+*{]/.test(pattern.source)) return undefined
  const options = { sinks: ['regex'], origins: ['request', 'parameter'] } as const
  const hit = flowHit(event.expr.at, use.input, options)
  if (!hit || isShort(event)) return undefined
  const speed = speedOf(pattern.source, pattern.flags)
  if (speed === 'exponential') return hit
  const isRequest = findTaint(use.input, { sinks: ['regex'] }) !== undefined
  return speed === 'polynomial' && isRequest ? { ...hit, severity: 'note', confidence: 'medium' } : undefined
}

type Use = { readonly pattern: AbstractValue; readonly input: AbstractValue }

function useOf({ method, receiver, arg }: CallEvent): Use | undefined {
  const first = arg(0)?.value ?? UNTAINTED
  if (!receiver) return undefined
  if (method === 'test' || method === 'exec') return { pattern: receiver, input: first }
  return MATCHING.has(method) ? { pattern: first, input: receiver } : undefined
}

const MATCHING: ReadonlySet<string> = new Set([
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
])

/** A length limit precedes the match. */
const isShort = (event: CallEvent): boolean =>
  /\.length\s*(?:>|<|>=|<=)\s*(?:\d{1,5}\b|[A-Z_]*MAX|max)|\.(?:slice|substring|substr)\(\s*0\s*,/i.test(
    textBefore(event, event.expr.at),
  )

type Speed = 'exponential' | 'polynomial' | 'linear'

const SOURCE_LENGTH_MAX = 600
const SPEEDS_MAX = 5000
const speeds = new Map<string, Speed>()

/** Cached per process, because the same patterns recur. */
function speedOf(source: string, flags: string): Speed {
  const key = `/${source}/${flags}`
  const before = speeds.get(key)
  if (before) return before
  if (speeds.size >= SPEEDS_MAX) speeds.clear()
  const speed = measure(source, flags)
  speeds.set(key, speed)
  return speed
}

function measure(source: string, flags: string): Speed {
  if (source.length > SOURCE_LENGTH_MAX || !parseRegex(source, flags)) return 'linear'
  try {
    const { reports } = analyse({ source, flags }, { maxReports: 4, reportTypes: { Move: false } })
    if (reports.some(({ exponential }) => exponential)) return 'exponential'
    return reports.length > 0 ? 'polynomial' : 'linear'
  } catch {
    // A pattern that the analysis cannot parse is not reported.
    return 'linear'
  }
}
