// Functions that one file gives to the others of the same program: who calls them is known, and what they are called with is
// followed from there. That somebody else might call them with anything is then no more than a guess.

import type { Callable } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import type { Machine, Scope } from '../machine.ts'

/** A function of one file is called by another. */
export function recordInternalCall(m: Machine, { definition, scope }: Callable): void {
  if (m.language !== 'javascript') return
  const { path } = m.frame.file
  const home = (scope as Scope).frame.file.path
  if (home !== path && !LIBRARY_CONSUMER.test(path) && !PACKAGE_ENTRY.test(home))
    m.internallyCalled.add(definition)
}

/** Tests, examples and commands use a library as anybody else would. */
const LIBRARY_CONSUMER =
  /(?:^|\/)(?:bin|cli|tests?|specs?|__tests__|examples?|demos?|bench(?:mark)?s?|scripts?)[/.]|\.(?:test|spec)\./
/** What a package is imported by. */
const PACKAGE_ENTRY = /(?:^|\/)(?:index|main)\.[cm]?[jt]sx?$/

/** Who a parameter belongs to, by where it is written. */
export function recordParameterOwner(m: Machine, at: SourceRange, definition: FunctionDefinition): void {
  if (m.language === 'javascript') m.parameterOwners.set(at, definition)
}

/** Whether it begins with a parameter that only functions of the same program give. */
export function isCalledOnlyInternally(m: Machine, { flow }: Hit): boolean {
  const begin = flow?.[0]
  const owner = begin && m.parameterOwners.get(begin.at)
  return owner !== undefined && m.internallyCalled.has(owner)
}
