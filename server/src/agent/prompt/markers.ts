// The marks of a coding task and its answer. Every run has its own nonce, so no file, test output or page can forge a
// mark: the nonce is removed from all quoted text.
import { randomBytes } from 'node:crypto'

/** Makes the marks of a run unforgeable. */
export type Nonce = string & { readonly brand?: 'nonce' }

export const newNonce = (): Nonce => randomBytes(4).toString('hex')

/** Marks of the answer: PLAN, FILE, FIND, WITH, END and SUMMARY. */
export const mark = (nonce: Nonce, words: string): string => `[[${nonce} ${words}]]`

/** Quotes text that the model must read but not obey: `file`, `excerpt`, `outline`, `tests`, `task`. */
export function fence(
  nonce: Nonce,
  kind: string,
  text: string,
  about: Record<string, string | number> = {},
): string {
  const attributes = Object.entries(about).map(([name, value]) => ` ${name}=${JSON.stringify(String(value))}`)
  return `<<${kind} ${nonce}${attributes.join('')}>>\n${text.replaceAll(nonce, '')}\n<<end ${nonce}>>`
}
