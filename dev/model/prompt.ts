// Reads prompts: messages in the format of the OpenAI API, and the fenced material in the prompts of the service.

export type Call = { readonly name: string; readonly arguments: string }
export type Message = {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: Call }[] | null
  readonly tool_call_id?: string
}
export type Fence = Readonly<{ kind: string; attributes: Readonly<Record<string, string>>; text: string }>

/** Limits the work on a hostile prompt. */
const FENCES_MAX = 400

/** Blocks such as `<<file 7f3a9c12 path="src/a.ts">>` … `<<end 7f3a9c12>>`. The nonce of the run marks the real ones. */
export function fencesIn(content: string, nonce: string): Fence[] {
  const opening = new RegExp(
    `^<<(?!end )(\\w{1,20}) ${nonce}((?: \\w+="(?:[^"\\\\\\n]|\\\\.)*")*)>>\\n`,
    'gm',
  )
  const end = `\n<<end ${nonce}>>`
  const fences: Fence[] = []
  let from = 0
  for (const found of content.matchAll(opening)) {
    const start = found.index + found[0].length
    // The text of an empty fence has no line break before the closing mark.
    const to = content.indexOf(end, start - 1)
    if (to === -1 || fences.length === FENCES_MAX) break
    if (found.index < from) continue
    const text = content.slice(start, Math.max(start, to)).replaceAll('\r\n', '\n')
    const pairs = [...(found[2] ?? '').matchAll(/ (\w+)="((?:[^"\\\n]|\\.)*)"/g)]
    const attributes = Object.fromEntries(
      pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]),
    )
    fences.push({ kind: found[1] ?? '', attributes, text })
    from = to + end.length
  }
  return fences
}

export const textsOf = (messages: readonly Message[], ...roles: string[]): string[] =>
  messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content)

/** The request of the user, without the material that coding clients and tasks add to it. */
export function requestIn(content: string): string {
  const nonce = /<<end (\w{4,64})>>/.exec(content)?.[1]
  const parts = nonce === undefined ? [content] : content.split(`<<end ${nonce}>>`)
  const plain = parts.map((part) => part.split(new RegExp(`<<\\w{1,20} ${nonce}\\b`))[0]).join('')
  return plain.replaceAll(/<(system-reminder|session_context)>[\s\S]*?<\/\1>/g, '').trim()
}

export const systemOf = (messages: readonly Message[]): string =>
  textsOf(messages, 'system', 'developer').join('\n')
