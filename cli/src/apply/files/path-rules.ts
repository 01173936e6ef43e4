// Which paths an edit may have. An ambiguous path is rejected, never repaired.

const SEGMENTS_MAX = 64
const BYTES_MAX = 1024

/** Why the path is rejected, as the rest of a sentence; null when it is allowed. */
export function whyRejected(path: string): string | null {
  if (path.trim() === '') return 'is empty'
  if (Buffer.byteLength(path) > BYTES_MAX) return 'is too long'
  if (!path.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(path)) return 'has control characters'
  if (/[\p{Cf}\p{DI}]/u.test(path)) return 'has invisible characters'
  if (/^[/\\]|^[a-z]:|^~/i.test(path)) return 'is not relative'
  if (path.includes('\\')) return 'has backslashes'
  const segments = path.split('/')
  if (segments.length > SEGMENTS_MAX) return 'is too deep'
  if (segments.some((segment) => segment === '')) return 'has empty parts'
  if (segments.some((segment) => /^[.\u2024\uff0e]+$/.test(segment) || segment === '\u2025'))
    return 'leaves the folder'
  if (segments.some(belongsToGit)) return 'belongs to git'
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'has a name that ends with a dot or a space'
  if (segments.some((segment) => /~\d/.test(segment))) return 'looks like a short name of Windows'
  if (
    process.platform === 'win32' &&
    segments.some((segment) => /[<>:"|?*]/.test(segment) || DEVICE.test(segment))
  )
    return 'is not a valid name on Windows'
  return null
}

const DEVICE = /^(con|prn|aux|nul|(com|lpt)\d)(\.|$)/i

/** Includes spellings that some file systems treat as equal: other case, NTFS streams, look-alike letters. */
const belongsToGit = (segment: string): boolean =>
  /^(\.git|git~\d+)$/.test((fold(segment).split(':')[0] ?? '').replace(/[. ]+$/, ''))

/** Paths with the same fold are one file on systems that ignore case or Unicode composition. */
export function fold(path: string): string {
  const folded = path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
  return folded.replace(/[\p{Cf}\p{DI}]/gu, '').replaceAll('i\u0307', 'i')
}

/** Edits that conflict: the same file twice, or a file where another edit needs a folder. */
export function collisionsAmong(paths: readonly string[]): string[] {
  const folded = paths.map(fold)
  const folders = new Set(folded.flatMap(foldersOf))
  const isTwice = (path: string) => folded.indexOf(path) !== folded.lastIndexOf(path)
  return paths.filter((_, index) => {
    const path = folded[index] ?? ''
    return isTwice(path) || folders.has(path)
  })
}

/** The parent folders of a path, outermost first. */
export function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'))
}
