// Undo records: one file per applied result below `undo`, numbered, with the reverse patch beside it for manual use.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diffOf, patchOf } from '../../diff/unified.ts'
import { writeAtomically } from '../../system/atomic-write.ts'
import { type FileState, isExecutable } from './find-file.ts'
import { type Journal, journalIn, readRecord, release, type Step } from './journal.ts'

const KEPT_MAX = 100
const FILE = /^(\d{6,12})-([0-9a-z-]{1,40})\.json$/

export type UndoRecord = Journal & { readonly file: string }

const folderIn = (home: string): string => join(home, 'undo')

/** Turns the journal into the record, atomically. */
export async function saveRecord(
  home: string,
  { id, steps }: Pick<Journal, 'id' | 'steps'>,
  keptMax = KEPT_MAX,
): Promise<void> {
  const folder = folderIn(home)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = await entriesIn(folder)
  const name = nextName(entries, id)
  await writeFile(join(folder, `${name}.patch`), reverseOf(steps), { mode: 0o600 })
  await rename(journalIn(home), join(folder, `${name}.json`))
  release(home)
  for (const { file } of entries.slice(keptMax - 1)) await remove(folder, file)
}

/** Records changes that are made already, such as those of a command. */
export async function addRecord(home: string, journal: Journal, keptMax = KEPT_MAX): Promise<void> {
  const folder = folderIn(home)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const entries = await entriesIn(folder)
  const name = nextName(entries, journal.id)
  await writeFile(join(folder, `${name}.patch`), reverseOf(journal.steps), { mode: 0o600 })
  await writeAtomically(join(folder, `${name}.json`), `{}\n${JSON.stringify(journal)}\n`)
  for (const { file } of entries.slice(keptMax - 1)) await remove(folder, file)
}

const nextName = (entries: readonly { number: number }[], id: string): string =>
  `${String((entries[0]?.number ?? 0) + 1).padStart(6, '0')}-${id}`

/** The newest record, or the newest with this id; null without one. */
export async function findRecord(home: string, id: string | null): Promise<UndoRecord | null> {
  const folder = folderIn(home)
  const entry = (await entriesIn(folder)).find((one) => id === null || one.id === id)
  const journal = entry ? await readRecord(join(folder, entry.file)) : null
  return entry && journal ? { ...journal, file: entry.file } : null
}

/** All records, the oldest first. */
export async function listRecords(home: string): Promise<UndoRecord[]> {
  const folder = folderIn(home)
  const records: UndoRecord[] = []
  for (const { file } of (await entriesIn(folder)).toReversed()) {
    const journal = await readRecord(join(folder, file))
    if (journal) records.push({ ...journal, file })
  }
  return records
}

/** The ids of all records, the oldest first. */
export const listRecordIds = async (home: string): Promise<string[]> =>
  (await entriesIn(folderIn(home))).map(({ id }) => id).reverse()

export const dropRecord = (home: string, { file }: UndoRecord): Promise<void> => remove(folderIn(home), file)

async function remove(folder: string, file: string): Promise<void> {
  await rm(join(folder, file), { force: true })
  await rm(join(folder, file.replace(/json$/, 'patch')), { force: true })
}

async function entriesIn(folder: string): Promise<{ file: string; number: number; id: string }[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names
    .flatMap((file) => {
      const [, number, id] = FILE.exec(file) ?? []
      return number && id ? [{ file, number: Number(number), id }] : []
    })
    .sort((a, b) => b.number - a.number)
}

const reverseOf = (steps: readonly Step[]): string =>
  patchOf(
    steps
      .filter((step) => !isBinary(step))
      .map(({ path, before, after }) => diffOf(path, textOf(after), textOf(before))),
  )

const isBinary = ({ before, after }: Step): boolean =>
  [before, after].some((state) => state?.encoding !== undefined)

export const textOf = (state: FileState | null) =>
  state && { text: state.text, isExecutable: isExecutable(state) }
