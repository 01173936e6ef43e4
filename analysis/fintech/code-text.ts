// The text of a file without its comments. Comments are replaced by spaces, so positions stay valid.
import type { Language } from '../ir.ts'
import { memoizeByText } from '../rule-helpers/memoize-by-text.ts'

const STRINGS = String.raw`"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'`
const REGEX = String.raw`(?<=[(,=:[!&|?{};\n]\s{0,4})\/(?![*\/])(?:[^\/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`
const SLASHES = String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)`

const withSlashes = new RegExp(`${STRINGS}|\`(?:[^\`\\\\]|\\\\[^])*\`|${REGEX}|(?<comment>${SLASHES})`, 'g')
const withHashes = new RegExp(
  String.raw`(?<comment>(?<=(?:^|\n)[ \t]*)(?:"""[^]*?"""|'''[^]*?''')|#[^\n]*)|"""[^]*?"""|'''[^]*?'''|${STRINGS}`,
  'g',
)
const withRubyHashes = new RegExp(
  String.raw`(?<comment>(?<=^|\n)=begin\b[^]*?(?:\n=end[^\n]*|$)|#(?!\{)[^\n]*)|${STRINGS}`,
  'g',
)
const withBoth = new RegExp(`${STRINGS}|(?<comment>${SLASHES}|#(?!\\[)[^\\n]*)`, 'g')

const strip = (pattern: RegExp) =>
  memoizeByText((text: string) =>
    text.replace(pattern, (part, ...rest) => {
      const groups = rest.at(-1) as { readonly comment?: string }
      return groups.comment === undefined ? part : part.replace(/[^\n]/g, ' ')
    }),
  )

const strippers: Readonly<Record<string, (text: string) => string>> = {
  python: strip(withHashes),
  php: strip(withBoth),
  ruby: strip(withRubyHashes),
}
const stripSlashes = strip(withSlashes)

export const codeOf = ({ text, language }: { readonly text: string; readonly language: Language }): string =>
  (strippers[language] ?? stripSlashes)(text)
