// Writes down what a function does, above it or in it.
import { knownByName, type Language } from '../known/known.ts'
import type { Clause } from './clauses.ts'
import { type FunctionSpan, findFunction, functionNames } from './functions.ts'
import { indentOf, isTestPath, languageOf } from './language.ts'
import { pathsIn, quotedIn, speaksOf } from './mentions.ts'
import type { Doing } from './recogniser.ts'
import { type Workspace, write } from './workspace.ts'

const ABOUT = /\b(doc ?strings?|js ?docs?|comments?|documentation|document)\b/i

export function documentFunction(clause: Clause, workspace: Workspace): Doing | null {
  if (!ABOUT.test(clause.text)) return null
  const given = quotedIn(clause).find((text) => /\s/.test(text))
  const done = subjects(clause, workspace).filter(({ path, name }) => document(workspace, path, name, given))
  if (done.length === 0) return null
  const list = done.map(({ path, name }) => `\`${name}\` in ${path}`).join(', ')
  return { steps: [`Say what it does above or in ${list}.`], said: `Documented ${list}.` }
}

/** The functions that are named; all of the file when it says so. */
function subjects(clause: Clause, workspace: Workspace) {
  const paths = pathsIn(clause, workspace)
  const files = [...workspace.files].filter(
    ([path]) =>
      languageOf(path) !== undefined && (paths.length === 0 ? !isTestPath(path) : paths.includes(path)),
  )
  const defined = files.flatMap(([path, text]) =>
    functionNames(text, languageOf(path) ?? 'js').map((name) => ({ path, name })),
  )
  const named = defined.filter(({ name }) => speaksOf(clause, name))
  const isAll = /\b(all|every|each)\b|\bfunctions\b/i.test(clause.text) || defined.length === 1
  return named.length > 0 ? named : isAll ? defined.slice(0, 40) : []
}

function document(workspace: Workspace, path: string, name: string, given: string | undefined): boolean {
  const text = workspace.files.get(path) ?? ''
  const language = languageOf(path) ?? 'js'
  const span = findFunction(text, name, language)
  if (span === undefined || isDocumented(text, span, language)) return false
  const sentence = given ?? knownByName(name)?.does ?? described(span)
  const at = language === 'py' ? span.bodyStart : span.start
  const lines = language === 'py' ? docstring(text, span, sentence) : comment(span, sentence, language)
  write(workspace, path, text.slice(0, at) + lines + text.slice(at), `say what ${name} does`)
  return true
}

function isDocumented(text: string, span: FunctionSpan, language: Language): boolean {
  return language === 'py'
    ? /^\s*[rf]?("""|''')/.test(text.slice(span.bodyStart, span.bodyStart + 200))
    : /(\*\/|\/\/[^\n]*)\s*$/.test(text.slice(Math.max(0, span.start - 200), span.start))
}

function docstring(text: string, span: FunctionSpan, sentence: string): string {
  return `${span.indent}${indentOf(text) ?? '    '}"""${sentence.replaceAll('"""', "'''")}"""\n`
}

function comment({ indent, params }: FunctionSpan, sentence: string, language: Language): string {
  const safe = sentence.replaceAll('*/', '* /')
  if (language === 'go') return `${indent}// ${safe}\n`
  if (params.length === 0) return `${indent}/** ${safe} */\n`
  const lines = params.map((name) => `${indent} * @param ${language === 'php' ? '$' : ''}${name}\n`)
  return `${indent}/**\n${indent} * ${safe}\n${indent} *\n${lines.join('')}${indent} */\n`
}

/** From its name, when nothing better is known: `sendMail` becomes "Send mail." */
function described({ name }: FunctionSpan): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
