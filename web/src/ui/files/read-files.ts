// Reads text files within the limits and reports a reason for every skipped file.
import { cleanPath, type PickedFile } from './picked-files.ts'

export type TextFile = { readonly path: string; readonly content: string }
export type SkippedFile = { readonly path: string; readonly reason: string }
type Reason = 'not_text' | 'too_large' | 'no_room' | 'bad_name' | 'unreadable'
export type Room = { readonly files: number; readonly bytes: number; readonly fileBytes: number }

/** Folders created by tools. They are skipped without mention. */
const TOOL_FOLDERS = /(^|\/)(\.git|node_modules|\.venv|venv|__pycache__|\.next|\.cache)\//

export async function readFiles(
  offered: readonly PickedFile[],
  room: Room,
): Promise<{ files: TextFile[]; leftOut: SkippedFile[] }> {
  const files = new Map<string, string>()
  const leftOut: SkippedFile[] = []
  let bytes = 0
  for (const each of offered) {
    const path = cleanPath(each.path)
    if (path !== null && TOOL_FOLDERS.test(`${path}/`)) continue
    const reason: Reason | null =
      path === null
        ? 'bad_name'
        : each.size > room.fileBytes
          ? 'too_large'
          : files.size >= room.files || bytes + each.size > room.bytes
            ? 'no_room'
            : null
    const read = reason === null ? await readText(each) : { reason }
    if ('reason' in read) leftOut.push({ path: each.path, reason: read.reason })
    else {
      files.set(path ?? '', read.content)
      bytes += each.size
    }
  }
  return { files: [...files].map(([path, content]) => ({ path, content })), leftOut }
}

async function readText({ bytes }: PickedFile): Promise<{ content: string } | { reason: Reason }> {
  const buffer = await bytes().catch(() => null)
  if (buffer === null) return { reason: 'unreadable' }
  try {
    const content = new TextDecoder('utf-8', { fatal: true }).decode(buffer)
    return content.includes('\0') ? { reason: 'not_text' } : { content }
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'not_text' }
    throw error
  }
}
