// The title of a session, as the service makes it from the first prompt.
const TITLE_CHARACTERS = 80

/** Of a session without a message. */
export const DEFAULT_TITLE = 'New task'

export function titleOf(prompt: string): string {
  const lines = prompt.split('\n').map((each) => each.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim())
  const line = lines.find((each) => each !== '') ?? DEFAULT_TITLE
  return line.length <= TITLE_CHARACTERS ? line : `${line.slice(0, TITLE_CHARACTERS - 1).trimEnd()}…`
}
