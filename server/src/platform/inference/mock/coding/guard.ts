// Makes a function careful: a check of what it is given, or a catch around what it does.
import type { Language } from '../known/known.ts'
import type { Clause } from './clauses.ts'
import { type FunctionSpan, findFunction, functionNames } from './functions.ts'
import { inStyleOf, isTestPath, languageOf } from './language.ts'
import { namesIn, pathsIn, speaksOf } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { type Workspace, write } from './workspace.ts'

const CHECKS =
  /\b(null|undefined|none|nil|empty|missing|zero|negative|type)\b.{0,20}\bchecks?\b|\bchecks?\b.{0,30}\b(null|undefined|none|empty|missing|zero|negative)\b|\b(throw|raise)s?\b.{0,40}\b(if|when|for|on)\b|\bvalidat(e|es|ion)\b|\bguard\b|\bdivi(sion|de|ding) by zero\b/i
const CATCHES =
  /\berror[- ]handling\b|\btry\b.{0,5}\b(catch|except)\b|\bhandle (the )?(errors?|exceptions?)\b|\bcatch (the )?(errors?|exceptions?)\b/i

export function guardFunction(clause: Clause, workspace: Workspace): Doing | null {
  const isCheck = CHECKS.test(clause.text)
  if (!isCheck && !CATCHES.test(clause.text)) return null
  const subject = subjectOf(clause, workspace)
  if (subject === undefined) return null
  const { path, text, language, span } = subject
  const isGuarded = isCheck && span.params.length > 0
  const body = isGuarded ? withCheck(clause, text, span, language) : withCatch(text, span, language)
  if (body === null) return null
  write(
    workspace,
    path,
    text.slice(0, span.bodyStart) + body + text.slice(span.bodyEnd),
    `make ${span.name} careful`,
  )
  const what = isGuarded ? 'checks what it is given first' : 'handles errors of what it does'
  return {
    steps: [`Let \`${span.name}\` in ${path} be careful: it ${what}.`],
    said: `\`${span.name}\` in ${path} now ${what}.`,
  }
}

function subjectOf(clause: Clause, workspace: Workspace) {
  const named = pathsIn(clause, workspace)
  const all = [...workspace.files].flatMap(([path, text]) => {
    const language = languageOf(path)
    if (language !== 'js' && language !== 'ts' && language !== 'py') return []
    if (isTestPath(path) || (named.length > 0 && !named.includes(path))) return []
    return functionNames(text, language).map((name) => ({ path, text, language, name }))
  })
  const only = all.length === 1 && namesIn(clause).length === 0 ? all[0] : undefined
  const meant = all.find(({ name }) => speaksOf(clause, name)) ?? only
  if (meant === undefined) return undefined
  const span = findFunction(meant.text, meant.name, meant.language)
  return span?.kind === 'block' ? { ...meant, span } : undefined
}

function withCheck(clause: Clause, text: string, span: FunctionSpan, language: Language): string | null {
  const isZero = /\bzero\b/i.test(clause.text)
  const param = spokenParam(clause, span, isZero)
  const condition = conditionOf(clause.text, param, language)
  const said = isZero
    ? `${param} must not be zero`
    : /\bnegative\b/i.test(clause.text)
      ? `${param} must not be negative`
      : `${param} is required`
  const code =
    language === 'py'
      ? `if ${condition}:\n    raise ValueError("${said}")`
      : `if (${condition}) {\n  throw new Error('${said}');\n}`
  const body = text.slice(span.bodyStart, span.bodyEnd)
  if (body.includes(condition)) return null
  const indent = indentInside(body, span)
  const lines = inStyleOf(text, code, language).replaceAll(/^/gm, indent)
  return language === 'py'
    ? `${lines}\n${body}`
    : `\n${lines}${body.startsWith('\n') ? body : `\n${indent}${body.trim()}\n`}`
}

function conditionOf(words: string, param: string, language: Language): string {
  if (/\bzero\b/i.test(words)) return language === 'py' ? `${param} == 0` : `${param} === 0`
  if (/\bnegative\b/i.test(words)) return `${param} < 0`
  if (/\bempty\b/i.test(words))
    return language === 'py' ? `not ${param}` : `${param} == null || ${param}.length === 0`
  return language === 'py' ? `${param} is None` : `${param} == null`
}

/** The one that is named; of a division the last. */
function spokenParam(clause: Clause, { params }: FunctionSpan, isZero: boolean): string {
  const named = params.find((name) =>
    new RegExp(`[\`"']${name}[\`"']|\\b(for|if|when|that|of|on)\\s+${name}\\b`).test(clause.text),
  )
  return named ?? params[isZero ? params.length - 1 : 0] ?? ''
}

function withCatch(text: string, span: FunctionSpan, language: Language): string | null {
  const body = text.slice(span.bodyStart, span.bodyEnd)
  if (/^\s*try\b/.test(body)) return null
  const indent = indentInside(body, span)
  const unit = indent.slice(span.indent.length) || '  '
  const inner = body
    .replace(/^\n/, '')
    .trimEnd()
    .replaceAll(/^(?=.)/gm, unit)
  if (inner.trim() === '') return null
  if (language === 'py')
    return `${indent}try:\n${inner}\n${indent}except Exception as error:\n${indent}${unit}raise RuntimeError("${span.name} failed") from error`
  const said = inStyleOf(text, `throw new Error('${span.name} failed', { cause: error });`, language)
  return `\n${indent}try {\n${inner}\n${indent}} catch (error) {\n${indent}${unit}${said}\n${indent}}\n${span.indent}`
}

const indentInside = (body: string, span: FunctionSpan): string =>
  /(?:^|\n)([ \t]+)\S/.exec(body)?.[1] ?? `${span.indent}  `
