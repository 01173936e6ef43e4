// Rules about slow and injected regular expressions.

import { type AbstractValue, UNTAINTED } from '../../../abstract-value.ts'
import { isTestCode } from '../../../engine/skipped-files.ts'
import type { CallEvent, Hit, ProgramEvent, Rule } from '../../../rule.ts'
import { regexOf } from '../../model/regex-characters.ts'
import { findTaint, flowHit, isEntryFile, textBefore } from '../taint-flow.ts'
import { type Speed, speedOf } from './regex-speed.ts'

export const regexRules: readonly Rule[] = [
  {
    id: 'JS-REDOS-01',
    title: 'A regular expression can take exponential or polynomial time',
    cwe: 1333,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'The pattern can match the same text in very many ways. A crafted text keeps the process busy for seconds or minutes, and it serves no other request.',
    fix: 'Make the repeated part unambiguous, reject long texts before matching, or use a matcher without backtracking.',
    on: { call: (event) => slowMatch(event) ?? slowConstant(event), program: slowLiterals },
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
  const hit = flowHit(event.expr.at, use.input, INPUT_FLOW)
  if (!hit || isShort(event)) return undefined
  const speed = speedOf(pattern.source, pattern.flags)
  if (speed === 'linear') return undefined
  const detail = `${hit.detail} ${GROWTH[speed]}`
  const label = findTaint(use.input, INPUT_FLOW)?.label ?? ''
  if (OWN_INPUT.test(label)) return { ...hit, detail, severity: 'note' }
  return speed === 'exponential' || isReachable(event, use.input, speed)
    ? { ...hit, detail }
    : { ...hit, detail, severity: 'note' }
}

/** `new RegExp(text)` with a text that is constant, though joined from parts. */
function slowConstant({ name, expr, arg, path }: CallEvent): Hit | undefined {
  const source = name === 'RegExp' ? arg(0)?.value.known : undefined
  if (typeof source !== 'string' || arg(0)?.expr.kind === 'regex' || isTestCode(path)) return undefined
  const flags = arg(1)?.value.known
  const speed = /[+*{]/.test(source) ? speedOf(source, typeof flags === 'string' ? flags : '') : 'linear'
  return speed === 'exponential' || speed === 'polynomial'
    ? { at: expr.at, severity: 'note', confidence: 'low', detail: GROWTH[speed] }
    : undefined
}

/** The address of the own page, and patterns and settings that the developer writes. */
const OWN_INPUT =
  /\blocation\b|^document\.|^argument (?:pattern|format|template|layout|options|opts|config|settings)$/

/** A request chooses the text, or the user of the package passes it to a function of its entry file. */
function isReachable({ path }: CallEvent, input: AbstractValue, speed: Speed): boolean {
  const request = findTaint(input, { sinks: ['regex'] })
  if (request) return speed === 'polynomial' || !SHORT_INPUT.test(request.label)
  const argument = findTaint(input, INPUT_FLOW)
  return speed === 'polynomial' && argument?.unknownCalls === 0 && isEntryFile(path)
}

const INPUT_FLOW = { sinks: ['regex'], origins: ['request', 'parameter'], unknownCallsMax: 1 } as const

const GROWTH: Readonly<Record<Exclude<Speed, 'linear'>, string>> = {
  exponential: 'Each further character can double the time.',
  polynomial: 'The time grows at least with the square of the length.',
  restarting: 'The match restarts at each position, so the time grows with the square of the length.',
}

/** Node.js limits the size of the request line and the headers. */
const SHORT_INPUT =
  /\b(?:headers?|cookies|signedCookies|url|originalUrl|path|pathname|query|params|host|hostname)\b|\b(?:get|header)\(/

type Use = { readonly pattern: AbstractValue; readonly input: AbstractValue }

function useOf(event: CallEvent): Use | undefined {
  const { method } = event
  const isOfPattern = method === 'test' || method === 'exec'
  if (!isOfPattern && !MATCHING.has(method)) return undefined
  const { receiver } = event
  const first = event.arg(0)?.value ?? UNTAINTED
  if (!receiver) return undefined
  return isOfPattern ? { pattern: receiver, input: first } : { pattern: first, input: receiver }
}

const MATCHING: ReadonlySet<string> = new Set([
  'match',
  'matchAll',
  'replace',
  'replaceAll',
  'search',
  'split',
])

/** A length limit precedes the match. A comparison with 0 or 1 is no limit. */
const isShort = (event: CallEvent): boolean =>
  /\.length\s*(?:>|<|>=|<=)\s*(?:\d{2,5}\b|[A-Z_]*MAX|max)|\.(?:slice|substring|substr)\(\s*0\s*,\s*(?:\d|[A-Z_]*MAX|max)/i.test(
    textBefore(event, event.expr.at),
  )

/** Slow patterns whose input could not be followed. */
function slowLiterals({ program, path, calls }: ProgramEvent): Hit[] {
  if (isTestCode(path)) return []
  const slow = (program.regexes ?? []).filter(({ source, flags }) => {
    const speed = /[+*{]/.test(source) ? speedOf(source, flags) : 'linear'
    return speed === 'exponential' || speed === 'polynomial'
  })
  if (slow.length === 0) return []
  const judged = new Set(calls.flatMap(judgedSource))
  return slow
    .filter(({ source }) => !judged.has(source))
    .map(({ at, source, flags }) => {
      const speed = speedOf(source, flags)
      const detail = speed === 'linear' ? undefined : GROWTH[speed]
      return { at, severity: 'note', confidence: 'low', ...(detail && { detail }) }
    })
}

/** The pattern of a match that is reported itself, or whose text is short or constant. */
function judgedSource(call: CallEvent): string[] {
  const use = useOf(call)
  const source = use && regexOf(use.pattern)?.source
  if (!use || source === undefined) return []
  const isHarmless = use.input.known !== undefined || isShort(call)
  return isHarmless || slowMatch(call) ? [source] : []
}
