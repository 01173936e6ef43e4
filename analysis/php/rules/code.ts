import type { AbstractValue } from '../../abstract-value.ts'
import { allTaints } from '../../engine/values/values.ts'
import { type CallEvent, type Hit, type Rule, worstTaint } from '../../rule.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about code run from input. */
export const codeInjection: Rule = {
  id: 'PH-EVAL-01',
  title: 'Input is run as PHP code',
  cwe: 95,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message: 'Input is run as PHP. An attacker can do everything that this process can.',
  fix: 'Avoid it: look choices up in a list, and use a parser for formulas.',
  on: { call: findCode },
}

const RUNNING = new Set(words('eval assert create_function'))

function findCode(event: CallEvent): Hit | undefined {
  if (event.receiver) return undefined
  if (event.name === 'preg_replace' && isExecuting(event.arg(0)?.value)) return { at: event.expr.at }
  if (!RUNNING.has(event.name)) return undefined
  const value = event.args[event.name === 'create_function' ? 1 : 0]?.value
  const found = value && findTaintedInterpolation(value, ['code'], isDirectRequest)
  return found && flowHit(event.expr.at, found.taint, 'code that is run')
}

/** With the `e` modifier, the replacement is run as code. */
const isExecuting = (pattern: AbstractValue | undefined): boolean =>
  /^([/#~@|!%]).*\1[a-zA-Z]*e[a-zA-Z]*$/s.test(String(pattern?.known ?? ''))

/** Functions and classes chosen by input. */
export const chosenFunction: Rule = {
  id: 'PH-CALL-01',
  title: 'Input decides which function is called',
  cwe: 94,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message: 'Input decides which function is called. `system` is one of them.',
  fix: 'Look the function up in a fixed list: `$actions[$name] ?? null`.',
  on: { call: findChosen },
}

const CALLING = new Set(
  words(
    'call_user_func call_user_func_array array_map array_walk usort uasort uksort register_shutdown_function',
  ),
)
const SECOND = new Set(words('usort uasort uksort array_walk'))

function findChosen(event: CallEvent): Hit | undefined {
  const value = chosenIn(event)
  const found =
    value &&
    findTaintedInterpolation(value, ['code'], (taint, { before }) => isDirectRequest(taint) && before === '')
  return found && flowHit(event.expr.at, found.taint, 'the name of a called function')
}

function chosenIn(event: CallEvent): AbstractValue | undefined {
  if (!event.receiver && CALLING.has(event.name)) return event.args[SECOND.has(event.name) ? 1 : 0]?.value
  const { callee } = event.expr
  // `$name(…)` with a variable, not with a function defined here.
  if (callee.kind !== 'name' || !/^\$/.test(event.source(callee.at))) return undefined
  const value = event.lookUp(callee.name)
  return value?.callable ? undefined : value
}

const EXTRACTING = new Set(['extract', 'parse_str', 'mb_parse_str'])

/** Variables set from input. */
export const extractedInput: Rule = {
  id: 'PH-EXTRACT-01',
  title: 'Variables are set from input',
  cwe: 621,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'Every sent name becomes a variable, including those already set: `$isAdmin`, `$config`, `$userId`.',
  fix: 'Read the needed fields by name. If you must use it, pass `EXTR_SKIP` with a prefix.',
  on: {
    call: (event) => {
      if (!EXTRACTING.has(event.name)) return undefined
      const isExtract =
        event.name === 'extract' &&
        !/EXTR_(SKIP|PREFIX)/.test(event.args[1] ? event.source(event.args[1].expr.at) : '')
      const isParsed =
        (event.name === 'parse_str' || event.name === 'mb_parse_str') && event.args.length === 1
      const value = event.arg(0)?.value
      if (event.receiver || !(isExtract || isParsed) || !value) return undefined
      const taint = worstTaint({ taints: allTaints(value, 1) }, [])
      return taint && isDirectRequest(taint) && taint.unknownCalls === 0
        ? flowHit(event.expr.at, taint, 'the names of variables')
        : undefined
    },
  },
}
