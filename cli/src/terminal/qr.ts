// A QR code of an address, in half blocks: two rows per line.
import { renderUnicodeCompact } from 'uqr'

/** Null when the terminal is too narrow. */
export function qrLines(text: string, width: number): string[] | null {
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: 2 }).split('\n')
  return lines.every((line) => line.length <= width) ? lines : null
}
