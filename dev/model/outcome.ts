// The result of a task on files, and its report.
import { explain } from './explain.ts'
import { work } from './tasks.ts'

export const IDENTITY =
  'I am the built-in development model: I need no key, I know a few simple tasks, and production never uses me. Set SERVICE_UPSTREAM_BASE_URL for a real model.'
export const CANNOT =
  'I cannot do this. I can rename, add, document, test or remove a small function, replace a text, add a route, create a text file, fix a small mistake that a test shows, explain code and work out a sum.'

export type Change = { readonly path: string; readonly before: string | undefined; readonly after: string }

export const isQuestion = (task: string): boolean =>
  /\b(explain|describe|what does|summari[sz]e)\b/i.test(task)

/** `partial`: partly known files, which are not written. */
export function outcomeOf(
  task: string,
  before: ReadonlyMap<string, string>,
  { tests = '', partial = new Set<string>() } = {},
) {
  const files = new Map(before)
  // `report` tells the user the completed and the missing parts.
  const { done, left } = work(task, files, { tests, partial })
  const changes = [...files]
    .map(([path, after]) => ({ path, before: before.get(path), after }))
    .filter((change) => change.before !== change.after)
  if (changes.length > 0) {
    const missing = left.length > 0 ? [`Not done: ${left.join(' ')}`] : []
    return { changes, steps: done, report: [...done, ...missing, IDENTITY] }
  }
  const outlines = [...before].map(([path, text]) => `${path}: ${explain(text)}`)
  const isAnswer = isQuestion(task) && before.size > 0
  const none = /\byour changes\b/i.test(task) ? 'I made no further change.' : 'No file was changed.'
  const report = [...(isAnswer ? outlines : [none, CANNOT]), IDENTITY]
  return { changes, steps: [], report }
}

/** All changed lines as one replacement, with lines around it until the old text occurs once. */
export function hunkOf(before: string, after: string): { find: string; replace: string } {
  const old = before.replace(/\n$/, '').split('\n')
  const fresh = after.replace(/\n$/, '').split('\n')
  const least = Math.min(old.length, fresh.length)
  let from = 0
  while (from < least && old[from] === fresh[from]) from++
  let rest = 0
  while (rest < least - from && old.at(-1 - rest) === fresh.at(-1 - rest)) rest++
  for (;;) {
    const find = old.slice(from, old.length - rest).join('\n')
    const replace = fresh.slice(from, fresh.length - rest).join('\n')
    const isUnique = before.indexOf(find) === before.lastIndexOf(find)
    const isFit = isUnique && find.trim() !== '' && replace.trim() !== ''
    if (isFit || (from === 0 && rest === 0)) return { find, replace }
    if (from > 0) from--
    else rest--
  }
}
