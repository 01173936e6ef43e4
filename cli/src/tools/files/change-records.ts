// Writes the changes of tools and takes them back. Every change is journaled before it happens and recorded afterwards, so that it
// is whole or absent after a crash and can be undone after a restart.
import { hostname } from 'node:os'
import { type FileState, findFile } from '../../apply/files/find-file.ts'
import { dropJournal, release, type Step } from '../../apply/files/journal.ts'
import {
  addRecord,
  dropRecord,
  findRecord,
  listRecordIds,
  listRecords,
  saveRecord,
  type UndoRecord,
} from '../../apply/files/undo-records.ts'
import { recover, removeFolders, writeSteps } from '../../apply/files/write.ts'
import { Failure } from '../../errors.ts'

export type ChangeRecords = {
  /** Throws a `Failure` when the file changed meanwhile or cannot be written; nothing is changed then. */
  write(id: string, step: Step): Promise<void>
  /** Records changes that a command has made. */
  add(id: string, steps: readonly Step[]): Promise<void>
  /** Records how the files of a change differ from it by now, such as after a hook. Returns both changes as one. */
  addSince(id: string, newId: string): Promise<readonly Step[]>
  /** The ids of the changes that are not undone, the oldest first. */
  list(): Promise<readonly string[]>
  /** Restores the files as they were before the first of these changes. */
  undo(ids: ReadonlySet<string>): Promise<{ restored: readonly string[]; conflicts: readonly string[] }>
  /** Files of an interrupted change that were not restored, because they changed since. */
  readonly leftAlone: readonly string[]
}

/** Each record holds a file before and after its change. */
const RECORDS_MAX = 1_000
const MACHINE = { hostName: hostname(), now: () => new Date() }

/** Rolls back a change that a dead process did not finish. */
export async function openChangeRecords(home: string, root: string): Promise<ChangeRecords> {
  const recovered = await recover(home, MACHINE, root)
  let last: Promise<unknown> = Promise.resolve()
  /** One after another: the journal is also the lock. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
  return {
    leftAlone: recovered?.leftAlone ?? [],
    write: (id, step) =>
      inOrder(async () => {
        await writeSteps(home, MACHINE, root, { id, steps: [step] })
        try {
          await saveRecord(home, { id, steps: [step] }, RECORDS_MAX)
        } catch (error) {
          // A change that cannot be undone is not kept.
          release(home)
          await recover(home, MACHINE, root)
          const reason = error instanceof Error ? error.message : String(error)
          throw new Failure('not_recorded', `The change could not be recorded: ${reason}.`)
        }
      }),
    add: (id, steps) =>
      inOrder(() => {
        const createdAt = MACHINE.now().toISOString()
        return addRecord(home, { id, steps, folders: [], nonce: '0', createdAt }, RECORDS_MAX)
      }),
    addSince: (id, newId) =>
      inOrder(async () => {
        const record = await findRecord(home, id)
        const steps = record ? await stepsSince(root, record) : []
        const createdAt = MACHINE.now().toISOString()
        if (steps.length > 0)
          await addRecord(home, { id: newId, steps, folders: [], nonce: '0', createdAt }, RECORDS_MAX)
        const first = new Map(record?.steps.map(({ path, before }) => [path, before]))
        return steps.map((step) => ({ ...step, before: first.get(step.path) ?? null }))
      }),
    list: () => listRecordIds(home),
    undo: (ids) =>
      inOrder(async () => {
        const records = (await listRecords(home)).filter(({ id }) => ids.has(id))
        return undoRecords(home, root, records)
      }),
  }
}

async function undoRecords(home: string, root: string, records: readonly UndoRecord[]) {
  const steps: Step[] = []
  const [restored, conflicts]: [string[], string[]] = [[], []]
  for (const [path, { before, after }] of joinSteps(records)) {
    const found = await findFile(root, path, true)
    const current = 'refused' in found ? undefined : found.file
    if (isSame(current, before) && current?.mode === before?.mode) continue
    if (current === undefined || !isSame(current, after)) {
      conflicts.push(path)
      continue
    }
    steps.push({ path, before: current, after: before })
    restored.push(path)
  }
  if (steps.length > 0) {
    await writeSteps(home, MACHINE, root, { id: 'undo', steps })
    await dropJournal(home)
  }
  // Records stay until the files are restored. A crash before this line leaves records whose files are as before already.
  const kept = new Set(conflicts)
  for (const record of records.toReversed()) {
    if (record.steps.some(({ path }) => kept.has(path))) continue
    await removeFolders(root, record.folders)
    await dropRecord(home, record)
  }
  return { restored, conflicts }
}

/** Files that cannot be read are left out. */
async function stepsSince(root: string, { steps }: UndoRecord): Promise<Step[]> {
  const since: Step[] = []
  for (const { path, after } of steps) {
    const found = await findFile(root, path, true)
    if ('refused' in found || (isSame(found.file, after) && found.file?.mode === after?.mode)) continue
    since.push({ path, before: after, after: found.file })
  }
  return since
}

/** The first state before and the last state after, by path. */
function joinSteps(records: readonly UndoRecord[]): Map<string, Pick<Step, 'before' | 'after'>> {
  const joined = new Map<string, Pick<Step, 'before' | 'after'>>()
  for (const { path, before, after } of records.flatMap(({ steps }) => steps))
    joined.set(path, { before: joined.get(path)?.before ?? (joined.has(path) ? null : before), after })
  return joined
}

/** The same content. The mode may differ: a command may have made a file executable. */
const isSame = (one: FileState | null | undefined, other: FileState | null): boolean =>
  one !== undefined && one?.text === other?.text && one?.encoding === other?.encoding
