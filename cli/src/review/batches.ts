// Splits files into scans of the size the service accepts.

export type ScanFile = { readonly path: string; readonly content: string }

const FILES_MAX = 2_000
/** Below the 8 MiB of a request, with room for its form and the diff. */
const BYTES_MAX = 6_000_000

/** A file too large for one scan is skipped. */
export const SCANNED_CHARACTERS_MAX = 1_000_000

export function scansOf(
  files: readonly ScanFile[],
  { count = FILES_MAX, bytes = BYTES_MAX } = {},
): ScanFile[][] {
  const scans: ScanFile[][] = []
  let room = 0
  for (const file of files) {
    const size = Buffer.byteLength(JSON.stringify(file))
    const last = scans.at(-1)
    if (!last || size > room || last.length >= count) {
      scans.push([file])
      room = bytes - size
    } else {
      last.push(file)
      room -= size
    }
  }
  return scans
}
