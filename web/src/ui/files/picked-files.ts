// Files from the browser: chosen, pasted or dropped, alone or in folders.

/**
 * Anything with a name and bytes, such as a `File`. `path` includes folders; `folder` is the name of
 * the chosen folder.
 */
export type PickedFile = { path: string; size: number; folder?: string; bytes(): Promise<ArrayBuffer> }

const PATH_BYTES_MAX = 240

/** A relative path with `/` that cannot leave its folder; null for anything else. */
export function cleanPath(given: string): string | null {
  const path = given
    .replaceAll('\\', '/')
    .replace(/^(\.?\/)+/, '')
    .normalize('NFC')
  const isPlain = path !== '' && !path.split('/').some((name) => name === '' || name === '.' || name === '..')
  const bytes = new TextEncoder().encode(path).length
  return isPlain && bytes <= PATH_BYTES_MAX && !/[\u0000-\u001f\u007f]/.test(path) ? path : null
}

/** Omits the name of the chosen folder: paths are relative to the checkout. */
export const chosenFiles = (list: Iterable<File>): PickedFile[] =>
  [...list].map((file) => {
    const [folder = '', ...names] = file.webkitRelativePath.split('/')
    return offer(file, names.join('/') || file.name, folder)
  })

const offer = (file: File, path: string, folder: string): PickedFile => ({
  path,
  size: file.size,
  ...(folder !== '' && { folder }),
  bytes: () => file.arrayBuffer(),
})

/** More files are not read. The caller applies its own limit after the ignore rules. */
const FILES_READ_MAX = 50_000

/** Must be called during the event; afterwards the browser drops the data. */
export async function droppedFiles(data: DataTransfer): Promise<PickedFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.every(({ isFile }) => isFile)) return chosenFiles(data.files)
  const found: PickedFile[] = []
  // A single folder is the checkout; several items are parts of it.
  const root = entries.length === 1 ? (entries[0]?.name ?? '') : ''
  for (const entry of entries) await walk(entry, root, found)
  return found
}

async function walk(entry: FileSystemEntry, root: string, found: PickedFile[]): Promise<void> {
  if (found.length >= FILES_READ_MAX || /^(\.git|node_modules)$/.test(entry.name)) return
  if (entry.isFile) {
    const file = await new Promise<File | null>((resolve) =>
      (entry as FileSystemFileEntry).file(resolve, () => resolve(null)),
    )
    const path = pathIn(entry.fullPath, root)
    if (file) found.push(offer(file, path, root))
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // Browsers return a hundred entries at a time.
  for (let more = await read(reader); more.length > 0; more = await read(reader))
    for (const each of more) await walk(each, root, found)
}

const read = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve) => reader.readEntries(resolve, () => resolve([])))

const pathIn = (path: string, root: string): string =>
  root !== '' && path.startsWith(`/${root}/`) ? path.slice(root.length + 2) : path.slice(1)
