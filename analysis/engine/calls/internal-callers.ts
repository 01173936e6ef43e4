// Exported functions that only other files of the project call. Their callers are analyzed, so the
// assumption of tainted parameters does not apply.

import type { Callable } from '../../abstract-value.ts'
import type { FunctionDefinition } from '../../ir.ts'
import type { Hit } from '../../rule.ts'
import type { SourceRange } from '../../syntax/tree.ts'
import type { Machine, Scope } from '../machine.ts'

/** Records that a function is called from another file. */
export function recordInternalCall(m: Machine, { definition, scope }: Callable): void {
  if (m.language !== 'javascript') return
  const { path } = m.frame.file
  const home = (scope as Scope).frame.file.path
  if (home !== path && !LIBRARY_CONSUMER.test(path) && !PACKAGE_ENTRY.test(home))
    m.internallyCalled.add(definition)
}

/** Tests, examples and commands use a library like any external caller. */
const LIBRARY_CONSUMER =
  /(?:^|\/)(?:bin|cli|tests?|specs?|__tests__|examples?|demos?|bench(?:mark)?s?|scripts?)[/.]|\.(?:test|spec)\./
/** The entry files of a package. */
const PACKAGE_ENTRY = /(?:^|\/)(?:index|main)\.[cm]?[jt]sx?$/

/** Records the function of a parameter, by position. */
export function recordParameterOwner(m: Machine, at: SourceRange, definition: FunctionDefinition): void {
  if (m.language === 'javascript') m.parameterOwners.set(at, definition)
}

/** The function whose parameter the flow starts at. */
export function ownerOf(m: Machine, { flow }: Hit): FunctionDefinition | undefined {
  const [begin] = flow ?? []
  return begin && m.parameterOwners.get(begin.at)
}
