// Whether a call has one of the names of a custom rule.

import { isCall, lastSegment } from '../engine/name-patterns.ts'
import type { NamePattern } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { matchesGlob } from './glob.ts'

/** Matches the known name, or the name as it is written: the organisation describes its own code. */
export function callMatcher(names: readonly NamePattern[]): (event: CallEvent) => boolean {
  const globs = names.map((name) => name.replace('#', '.'))
  const lasts = new Set(globs.map(lastSegment))
  const hasPrefix = globs.some((name) => name.endsWith('*'))
  return (event) => {
    // Most calls end here.
    if (!hasPrefix && !lasts.has(event.method) && !lasts.has(writtenMethod(event))) return false
    if (isCall(event, ...names)) return true
    const written = writtenName(event)
    return globs.some((glob) => matchesGlob(glob, written))
  }
}

function writtenMethod({ expr: { callee } }: CallEvent): string {
  if (callee.kind === 'member') return callee.property
  return callee.kind === 'name' ? callee.name : ''
}

const WRITTEN_LENGTH_MAX = 200

/** `$this->client->pay` is `this.client.pay`. After a call, only the method is known: `_.pay`. */
function writtenName({ expr, source }: CallEvent): string {
  const text = source(expr.callee.at).slice(-WRITTEN_LENGTH_MAX)
  const name = text
    .replace(/\s+/g, '')
    .replace(/\?\.|->|::/g, '.')
    .replaceAll('$', '')
  return name.slice(name.lastIndexOf(')') + 1).replace(/^\./, '_.')
}
