// Nothing that opens a door is stored, embedded or shown: it is struck out before anything else is done with a text.
import { maskSecrets } from '../catalogue/catalogue.ts'

// One search for secrets ends after so many of them; a file that is a list of them is searched again.
const SEARCHES_MAX = 20

/** Lines stay as many and as long as they were. */
export function withoutSecrets(text: string): string {
  let masked = text
  for (let search = 0; search < SEARCHES_MAX; search++) {
    const next = maskSecrets(masked)
    if (next === masked) break
    masked = next
  }
  return masked
}
