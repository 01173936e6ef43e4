// Answers a coding prompt of the service in the format of decision 0019: a plan, edits between marks, a summary.
import { type Change, hunkOf, outcomeOf } from './outcome.ts'
import { fencesIn, type Message, systemOf, textsOf } from './prompt.ts'

/** Null when the prompt does not request this format. */
export function codingReply(messages: readonly Message[]): string | null {
  const nonce = /\[\[(\w{4,64}) PLAN\]\]/.exec(systemOf(messages))?.[1]
  if (nonce === undefined) return null
  const fences = textsOf(messages, 'user').flatMap((content) => fencesIn(content, nonce))
  const before = new Map<string, string>()
  const partial = new Set<string>()
  for (const { kind, attributes, text } of fences) {
    if (kind !== 'file' || attributes.path === undefined) continue
    if (attributes.lines === undefined) before.set(attributes.path, text)
    else partial.add(attributes.path)
  }
  const textOf = (kind: string) => fences.findLast((each) => each.kind === kind)?.text ?? ''
  const { changes, steps, report } = outcomeOf(textOf('task'), before, { tests: textOf('tests'), partial })
  const plan = [`Read ${[...before.keys()].slice(0, 5).join(', ') || 'the task'}.`, ...steps]
  const mark = (words: string) => `[[${nonce} ${words}]]`
  return [
    mark('PLAN'),
    ...plan.map((step, i) => `${i + 1}. ${step}`),
    ...changes.flatMap((change) => editLines(change, mark, steps.join(' '))),
    mark('SUMMARY'),
    `${report.join('\n')}\n`,
  ].join('\n')
}

function editLines({ path, before = '', after }: Change, mark: (words: string) => string, why: string) {
  const reason = `why: ${why.replaceAll(/\s+/g, ' ')}`
  if (before.trim() === '')
    return [mark(`FILE create ${path}`), reason, mark('BODY'), after.replace(/\n$/, ''), mark('END')]
  const { find, replace } = hunkOf(before, after)
  return [mark(`FILE update ${path}`), reason, mark('FIND'), find, mark('WITH'), replace, mark('END')]
}
