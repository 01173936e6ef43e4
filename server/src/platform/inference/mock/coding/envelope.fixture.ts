// Asks the stand-in model as the agent would, and applies its envelope by exact match alone.
import type { Message } from '../../question.ts'
import { replyTo } from '../reply.ts'

export type Files = Readonly<Record<string, string>>

export type Outcome = {
  readonly text: string
  readonly plan: string
  readonly summary: string
  /** The files afterwards. */
  readonly files: Map<string, string>
}

export const NONCE = '7f3a9c12'

export function codingMessages(task: string, files: Files = {}, tests?: string): readonly Message[] {
  const shown = Object.entries(files).map(
    ([path, text]) => `<<file ${NONCE} path=${JSON.stringify(path)}>>\n${text}\n<<end ${NONCE}>>`,
  )
  const output = tests === undefined ? [] : [`<<tests ${NONCE}>>\n${tests}\n<<end ${NONCE}>>`]
  return [
    { role: 'system', content: `Answer with [[${NONCE} PLAN]] and so on.` },
    {
      role: 'user',
      content: [...shown, ...output, `<<task ${NONCE}>>\n${task}\n<<end ${NONCE}>>`].join('\n\n'),
    },
  ]
}

export function doTask(task: string, files: Files = {}, tests?: string): Outcome {
  return applied(replyTo(codingMessages(task, files, tests)), files)
}

/** Throws when the envelope breaks its own rules. */
export function applied(text: string, files: Files): Outcome {
  const after = new Map(Object.entries(files))
  const mark = new RegExp(`^\\[\\[${NONCE} ([^\\n]+)\\]\\]$`, 'gm')
  const marks = [...text.matchAll(mark)]
  const sections = marks.map((found, i) => ({
    words: found[1] ?? '',
    body: text
      .slice(found.index + found[0].length + 1, marks[i + 1]?.index ?? text.length)
      .replace(/\n$/, ''),
  }))
  if (sections[0]?.words !== 'PLAN' || sections.at(-1)?.words !== 'SUMMARY')
    throw new Error('no plan or no summary')
  let path = ''
  let find: string | undefined
  for (const { words, body } of sections.slice(1, -1)) {
    const [, action, named] = /^FILE (\w+) (.+)$/.exec(words) ?? []
    if (action !== undefined && named !== undefined) {
      path = named
      if (!body.startsWith('why: ')) throw new Error(`${path} has no reason`)
      if (action === 'delete' && !after.delete(path)) throw new Error(`${path} is not there`)
      if (action === 'update' && !after.has(path)) throw new Error(`${path} is not there`)
    } else if (words === 'BODY') after.set(path, `${body}\n`)
    else if (words === 'FIND') find = body
    else if (words === 'WITH') after.set(path, replacedOnce(after.get(path) ?? '', find ?? '', body))
    else if (words !== 'END') throw new Error(`what is ${words}`)
  }
  return { text, plan: sections[0].body, summary: sections.at(-1)?.body ?? '', files: after }
}

function replacedOnce(text: string, find: string, replacement: string): string {
  const at = text.indexOf(find)
  if (find.trim() === '' || at < 0) throw new Error(`not found: ${find}`)
  if (text.includes(find, at + 1)) throw new Error(`found twice: ${find}`)
  return text.slice(0, at) + replacement + text.slice(at + find.length)
}
