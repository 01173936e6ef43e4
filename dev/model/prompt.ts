// Reads prompts: messages in the format of the OpenAI API, and the fenced material in the prompts of the service.

export type ToolCall = {
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: string }
}
export type Message = {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly ToolCall[] | null
  readonly tool_call_id?: string
}
export type Fence = {
  readonly kind: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

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
  for (
    let found = opening.exec(content);
    found && fences.length < FENCES_MAX;
    found = opening.exec(content)
  ) {
    // The text of an empty fence has no line break before the closing mark.
    const to = content.indexOf(end, opening.lastIndex - 1)
    if (to === -1) break
    const text = content.slice(opening.lastIndex, Math.max(opening.lastIndex, to)).replaceAll('\r\n', '\n')
    const pairs = [...(found[2] ?? '').matchAll(/ (\w+)="((?:[^"\\\n]|\\.)*)"/g)]
    const attributes = Object.fromEntries(
      pairs.map(([, name = '', value = '']) => [name, value.replaceAll(/\\(.)/g, '$1')]),
    )
    fences.push({ kind: found[1] ?? '', attributes, text })
    opening.lastIndex = to + end.length
  }
  return fences
}

export const textsOf = (messages: readonly Message[], ...roles: string[]): string[] =>
  messages.filter(({ role }) => roles.includes(role)).map(({ content }) => content)

/** The request of the user, without the material that coding clients add to it. */
export const requestIn = (content: string): string =>
  content.replaceAll(/<(system-reminder|session_context)>[\s\S]*?<\/\1>/g, '').trim()

export const systemOf = (messages: readonly Message[]): string =>
  textsOf(messages, 'system', 'developer').join('\n')
