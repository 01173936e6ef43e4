// An address as a picture that a phone can read, in half blocks: two rows of it to a line.
import { renderUnicodeCompact } from 'uqr'

/** Null where the terminal is too narrow for it: half a picture helps nobody. */
export function qrLines(text: string, width: number): string[] | null {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n')
  return lines.every((line) => line.length <= width) ? lines : null
}
