// Reads a coding prompt back: which files are shown, what the tests said, what is to be done.
import type { Message } from '../../question.ts'

export type CodingPrompt = {
  readonly nonce: string
  /** Whole files by path, with LF line ends. A file that is shown twice counts as it was shown last. */
  readonly files: ReadonlyMap<string, string>
  /** Files of which only a part is shown. What is not seen whole is not edited. */
  readonly partial: ReadonlySet<string>
  /** What the tests printed, where they ran. */
  readonly tests: string | undefined
  readonly task: string
}

/** Null when nobody asks for an envelope: no message of the system shows its marks. */
export function readCodingPrompt(messages: readonly Message[]): CodingPrompt | null {
  const nonce = nonceOf(messages)
  if (nonce === undefined) return null

  const files = new Map<string, string>()
  const partial = new Set<string>()
  let tests: string | undefined
  let task: string | undefined
  for (const { role, content } of messages) {
    if (role === 'assistant') continue
    for (const { kind, path, isPart, text } of fencesIn(content, nonce)) {
      if (kind === 'file' && path !== undefined && isPart) partial.add(path)
      else if (kind === 'file' && path !== undefined) files.set(path, text)
      else if (kind === 'tests') tests = text
      else if (kind === 'task') task = text
    }
  }
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  return { nonce, files, partial, tests, task: task ?? last }
}

type Fence = {
  readonly kind: string
  readonly path: string | undefined
  readonly isPart: boolean
  readonly text: string
}

function nonceOf(messages: readonly Message[]): string | undefined {
  for (const { role, content } of messages) {
    const nonce = role === 'system' ? /\[\[(\w{4,64}) PLAN\]\]/.exec(content)?.[1] : undefined
    if (nonce !== undefined) return nonce
  }
  return undefined
}

function* fencesIn(content: string, nonce: string): Generator<Fence> {
  const opening = new RegExp(`<<(?!end )(\\w+) ${nonce}((?: \\w+="(?:[^"\\\\\\n]|\\\\.)*")*)>>\\n`, 'g')
  const end = `\n<<end ${nonce}>>`
  for (let found = opening.exec(content); found !== null; found = opening.exec(content)) {
    const from = opening.lastIndex
    // An empty text leaves its line break to the closing mark.
    const to = content.indexOf(end, from - 1)
    if (to < 0) return
    const text = content.slice(from, Math.max(from, to)).replaceAll('\r\n', '\n')
    const attributes = found[2] ?? ''
    yield { kind: found[1] ?? '', path: pathOf(attributes), isPart: / lines=/.test(attributes), text }
    opening.lastIndex = to + end.length
  }
}

function pathOf(attributes: string): string | undefined {
  const quoted = / path="((?:[^"\\\n]|\\.)*)"/.exec(attributes)?.[1]
  return quoted?.replaceAll(/\\(.)/g, '$1')
}
