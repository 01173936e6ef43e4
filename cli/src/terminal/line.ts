// A line of output with styled spans.

const CODES = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
} as const
export type Style = keyof typeof CODES
export type Span = {
  readonly text: string
  readonly style?: Style
  /** Code: never wrapped. */
  readonly verbatim?: true
  /** A web address, for terminals with links. The text must be enough without it. */
  readonly link?: string
  /** Replaces the text where there are no colours and no layout, for screen readers. */
  readonly spoken?: string
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
export const italic = styled('italic')
export const verbatim = (text: string, style?: Style): Span => ({
  text,
  verbatim: true,
  ...(style && { style }),
})

/** Replaces control characters, which could move the cursor or rewrite the screen. */
export const plain = (text: string): string =>
  text.replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g, ' ')

/** The same for JSON, which escapes only some of those characters itself. */
export const escapeControls = (json: string): string =>
  json.replace(
    /[\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The only place that emits terminal codes; the text of spans never contains any. */
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

/** Text of several lines from outside: keeps lines and tabs, and replaces other control characters. */
export const plainLines = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.split('\t').map(plain).join('\t'))
    .join('\n')
