// Plans a setup or its undo: the texts of all files before and after. Nothing is written here.
import { existsSync } from 'node:fs'
import { type ClientRecipe, type ClientValues, fillTemplate } from '@cowrie/sdk/clients'
import { Failure } from '../errors.ts'
import { type FileWrite, PRIVATE_MODE, type PresentFile, readConfigFile, requireWritable } from './files.ts'
import { UneditableError } from './formats/format.ts'
import { mergeSnippet, revertChanges } from './formats/formats.ts'
import { pathsOf, type Surroundings } from './locate.ts'
import { type ChangedFile, hashOf, type SetupRecord } from './records.ts'

export type FilePlan = {
  /** The path as the client knows it. */
  readonly name: string
  readonly present: PresentFile
  readonly write: FileWrite
  /** For the undo; null when an earlier setup is removed from this file. */
  readonly changed: ChangedFile | null
}

export type UndoPlan = FilePlan & {
  /** The values that were changed since, which stay. */
  readonly kept: readonly string[]
}

/** The files of a client with this service. An earlier setup is removed from the text first. */
export function planSetup(
  recipe: ClientRecipe,
  values: ClientValues,
  earlier: SetupRecord | null,
  surroundings: Surroundings,
): FilePlan[] {
  const plans = recipe.files.map((file): FilePlan => {
    const [preferred = '', ...others] = pathsOf(file, surroundings)
    const name = existsSync(preferred) ? preferred : (others.find((other) => existsSync(other)) ?? preferred)
    const present = readConfigFile(name)
    requireWritable(present)
    const own = earlier?.files.find(({ path }) => path === present.path)
    const base = own ? undone(own, present) : { text: present.text, mode: present.mode }
    const snippet = fillTemplate(file.snippet, values)
    const { text, changes } = editing(name, () =>
      mergeSnippet(file.format, base.text ?? '', snippet, file.defaults ?? []),
    )
    const mode = file.snippet.includes('{key}') ? PRIVATE_MODE : (present.mode ?? 0o644)
    return {
      name,
      present,
      write: { path: present.path, text, mode },
      changed: {
        path: present.path,
        format: file.format,
        before: base.text,
        mode: base.mode,
        changes,
        written: hashOf(text),
      },
    }
  })
  const elsewhere = (earlier?.files ?? []).filter(
    ({ path }) => !plans.some(({ write }) => write.path === path),
  )
  return [...plans, ...elsewhere.map((file) => ({ ...planUndoOf(file), changed: null }))]
}

export const planUndo = ({ files }: SetupRecord): UndoPlan[] => files.map(planUndoOf)

function planUndoOf(file: ChangedFile): UndoPlan {
  const present = readConfigFile(file.path)
  requireWritable(present)
  const { text, mode, kept } = undone(file, present)
  const write = { path: present.path, text, mode: mode ?? PRIVATE_MODE }
  return { name: file.path, present, write, changed: null, kept }
}

/** The text without the setup. An unchanged file gets back exactly what it was. */
function undone(
  file: ChangedFile,
  present: PresentFile,
): { text: string | null; mode: number | null; kept: readonly string[] } {
  const mode = file.mode ?? present.mode
  if (present.text === null) return { text: null, mode, kept: [] }
  if (hashOf(present.text) === file.written) return { text: file.before, mode, kept: [] }
  const current = present.text
  const { text, kept, isEmpty } = editing(file.path, () => revertChanges(file.format, current, file.changes))
  return { text: file.before === null && isEmpty && kept.length === 0 ? null : text, mode, kept }
}

function editing<T>(path: string, edit: () => T): T {
  try {
    return edit()
  } catch (error) {
    if (!(error instanceof UneditableError)) throw error
    throw new Failure('config_unusable', `${path} ${error.message}. Nothing was changed.`, {
      next: 'Correct the file, or use --print and edit it yourself.',
    })
  }
}
