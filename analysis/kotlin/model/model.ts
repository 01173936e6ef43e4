// The language model of Kotlin: the library of Java, and what Kotlin adds to it.

import { model as java } from '../../java/model/model.ts'
import type { GuardModel, LanguageModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { lower } from '../lowering/lower.ts'
import { parameter } from './parameters.ts'
import { requestCalls, sources } from './requests.ts'
import { stringCalls } from './strings.ts'

const guards: readonly GuardModel[] = [
  {
    name: ['*.matches', '*.matchEntire'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: isOfPattern,
  },
  { name: ['*.all'], subject: 'receiver', when: true, sanitizes: ['all'], appliesTo: testsCharacters },
  {
    name: ['*.startsWith'],
    subject: 'receiver',
    when: true,
    sanitizes: ['path'],
    appliesTo: isOfCanonicalPath,
  },
]

/** `Regex("[a-z]+").matches(name)`. The model represents a pattern by its source. */
function isOfPattern({ receiver }: CallEvent): boolean {
  const pattern = receiver?.known
  return (
    typeof pattern === 'string' && /^(?:\^?(?:\[[\w\\-]+\]|\\[wd])(?:[+*]|\{[\d,]+\})\$?)+$/.test(pattern)
  )
}

/** `name.all { it.isLetterOrDigit() }`. */
function testsCharacters({ source, expr }: CallEvent): boolean {
  return /\.all\s*\{[^}]{0,80}\.(?:isLetterOrDigit|isDigit|isLetter)\(\)[^}]{0,40}\}$/.test(source(expr.at))
}

/** `file.canonicalPath.startsWith(root)`. */
function isOfCanonicalPath({ source, expr, arg }: CallEvent): boolean {
  const asked = source(expr.callee.at)
  return (
    /canonical|normali[sz]|realpath|absolute|resolved|safe/i.test(asked) && arg(0)?.value.taints.length === 0
  )
}

export const model: LanguageModel = {
  language: 'kotlin',
  lower,
  sources,
  calls: [...stringCalls, ...requestCalls, ...java.calls],
  guards: [...guards, ...java.guards],
  parameter,
  globals: new Set([...java.globals, 'call', 'kotlin', 'android']),
  ...(java.builtins && { builtins: java.builtins }),
}
