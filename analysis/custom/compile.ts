// Turns the rules of an organisation into rules of the analysis.

import type { AbstractValue } from '../abstract-value.ts'
import type { LanguageRules } from '../engine/scan-files.ts'
import type { CallEvent, Hit, LiteralEvent, Rule, TextEvent, Visitor } from '../rule.ts'
import { callMatcher } from './call-name.ts'
import type { ArgumentCondition, CallPattern, CustomRule } from './custom-rule.ts'
import { flowVisitor, isPlainFlow, withCustomFlows } from './flow.ts'
import { matchesGlob } from './glob.ts'

export type CompiledRules = {
  readonly languages: readonly LanguageRules[]
  readonly textRules: readonly Rule[]
}

/**
 * The catalogue with the custom rules. Flows with sources or sanitizers of the organisation run on their own
 * model, so that they change no other rule.
 */
export function withCustomRules(catalogue: CompiledRules, custom: readonly CustomRule[]): CompiledRules {
  if (custom.length === 0) return catalogue
  const isFor = (rule: CustomRule, { model }: LanguageRules) =>
    rule.languages !== 'any' && rule.languages.includes(model.language)
  const languages = catalogue.languages.flatMap((each) => {
    const own = custom.filter((rule) => isFor(rule, each))
    const apart = own.filter((rule) => 'flow' in rule && !isPlainFlow(rule.flow))
    const shared = own.filter((rule) => !apart.includes(rule)).map(compileRule)
    return [
      { ...each, rules: [...each.rules, ...shared] },
      ...(apart.length > 0
        ? [{ model: withCustomFlows(each.model, apart), rules: apart.map(compileRule) }]
        : []),
    ]
  })
  const texts = custom.filter(({ languages: of }) => of === 'any').map(compileRule)
  return { languages, textRules: [...catalogue.textRules, ...texts] }
}

export const compileRule = (rule: CustomRule): Rule => ({
  id: rule.id,
  title: rule.title,
  cwe: rule.cwe,
  severity: rule.severity,
  confidence: rule.confidence,
  languages: rule.languages === 'any' ? 'any text' : rule.languages,
  message: rule.message,
  fix: rule.fix,
  on: visitorOf(rule),
})

function visitorOf(rule: CustomRule): Visitor {
  if ('call' in rule) return callVisitor(rule.call)
  if ('flow' in rule) return flowVisitor(rule.id, rule.flow)
  if (rule.languages === 'any') return { text: (event) => linesLike(event, rule.text) }
  return { literal: (event) => literalLike(event, rule.text) }
}

function callVisitor({ name, where }: CallPattern): Visitor {
  const isNamed = callMatcher(name)
  return {
    call: (event) =>
      isNamed(event) && where.every((condition) => holds(event, condition))
        ? { at: event.expr.at }
        : undefined,
  }
}

function holds(event: CallEvent, condition: ArgumentCondition): boolean {
  const value =
    'argument' in condition ? event.arg(condition.argument)?.value : event.option(condition.option)
  if (condition.missing !== undefined && condition.missing !== (value === undefined)) return false
  if (condition.is !== undefined && value?.known !== condition.is) return false
  return condition.like === undefined || (value !== undefined && isLike(value, condition.like))
}

/** A text that is only partly known matches with its unknown parts as any text. */
function isLike({ known, pieces }: AbstractValue, glob: string): boolean {
  if (typeof known === 'string') return matchesGlob(glob, known)
  const [first] = pieces ?? []
  return typeof first === 'string' && first !== '' && glob.endsWith('*') && matchesGlob(glob, first)
}

function literalLike({ expr, at }: LiteralEvent, globs: readonly string[]): Hit | undefined {
  const text = expr.kind === 'literal' ? expr.value : expr.source
  return typeof text === 'string' && globs.some((glob) => matchesGlob(glob, text)) ? { at } : undefined
}

const LINES_REPORTED_MAX = 100

function linesLike({ text }: TextEvent, globs: readonly string[]): Hit[] {
  const possible = globs.filter((glob) => text.includes(longestPart(glob)))
  if (possible.length === 0) return []
  const hits: Hit[] = []
  let start = 0
  for (const [index, line] of text.split('\n').entries()) {
    const end = start + line.length
    if (hits.length < LINES_REPORTED_MAX && possible.some((glob) => matchesGlob(glob, line.trim())))
      hits.push({ at: { start, end, line: index + 1, endLine: index + 1 } })
    start = end + 1
  }
  return hits
}

const longestPart = (glob: string): string =>
  glob.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest), '')
