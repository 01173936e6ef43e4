// A line for people: text, parts of which stand out where the terminal can show it.

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof CODES
export type Span = {
  readonly text: string
  readonly style?: Style
  /** Code, whose line is never broken at its spaces. */
  readonly verbatim?: true
}
export type Line = string | readonly (string | Span)[]

export const styled =
  (style: Style) =>
  (text: string): Span => ({ text, style })
export const bold = styled('bold')
export const dim = styled('dim')
export const red = styled('red')
export const green = styled('green')
export const yellow = styled('yellow')
export const cyan = styled('cyan')
export const verbatim = (text: string, style?: Style): Span => ({
  text,
  verbatim: true,
  ...(style && { style }),
})

/** Text of others could move the cursor or rewrite the screen; control characters are shown as a blank. */
export const plain = (text: string): string =>
  text.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, ' ')

/** JSON with the same value that cannot do that either: its own rules escape only some of those characters. */
export const harmless = (json: string): string =>
  json.replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The only place from which codes go to a terminal: what is written in a span never carries its own. */
export function render(line: Line, color: boolean): string {
  if (typeof line === 'string') return plain(line)
  return line
    .map((part) => {
      if (typeof part === 'string') return plain(part)
      const text = plain(part.text)
      return color && part.style ? `\x1b[${CODES[part.style]}m${text}\x1b[0m` : text
    })
    .join('')
}
