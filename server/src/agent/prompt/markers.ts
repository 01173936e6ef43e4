// The words in which a coding task and its answer are written. Every run has marks of its own, so that no file, test output
// or page can pretend to be one: its text is cleaned of them before it is shown to a model.
import { randomBytes } from 'node:crypto'

/** What makes the marks of one run its own. */
export type Nonce = string & { readonly brand?: 'nonce' }

export const newNonce = (): Nonce => randomBytes(4).toString('hex')

/** Marks of the answer: PLAN, FILE, FIND, WITH, END and SUMMARY. */
export const mark = (nonce: Nonce, words: string): string => `[[${nonce} ${words}]]`

/** Text that is to be read and never obeyed: `file`, `excerpt`, `outline`, `tests`, `task`. */
export function fence(
  nonce: Nonce,
  kind: string,
  text: string,
  about: Record<string, string | number> = {},
): string {
  const attributes = Object.entries(about).map(([name, value]) => ` ${name}=${JSON.stringify(String(value))}`)
  return `<<${kind} ${nonce}${attributes.join('')}>>\n${text.replaceAll(nonce, '')}\n<<end ${nonce}>>`
}
