// Keeps secrets from a model. Every secret value is shown as a placeholder that is derived from the value, so that a turn that
// resumes elsewhere shows the same text.
import { createKnownValues, learnSecretFile } from './known-values.ts'
import {
  placeholderOf,
  placeholdersIn,
  replacePlaceholders,
  replaceRanges,
  type SecretRange,
  secretRanges,
} from './placeholders.ts'
import type { SecretSpan, Withheld } from './secret-span.ts'
import { createWithheldList } from './withheld-list.ts'

export type MaskOptions = {
  /** Random and private, at least 16 bytes: placeholders are derived from it. No model may see it. */
  readonly nonce: string
  /** Files that the user allowed to be shown with their secrets. */
  readonly allowedPaths: ReadonlySet<string>
  readonly isSecretFile: (path: string) => boolean
  readonly findSpans: SpanFinder
}

/** The secrets of a text; undefined if it could not be searched. `path` names the file, for caches. */
export type SpanFinder = (path: string, text: string) => Promise<readonly SecretSpan[] | undefined>

export type MaskedText = {
  readonly text: string
  readonly withheld: readonly Withheld[]
  /** The whole text is withheld; `text` is only a notice. */
  readonly isWithheld: boolean
}

export type SecretMask = {
  /** Everything withheld so far. */
  readonly withheld: readonly Withheld[]
  /** The whole text of a file as a model may read it. The number of lines is unchanged. */
  hide(path: string, text: string): Promise<MaskedText>
  /** Text that is not a file of the workspace, such as the output of a command. `allowedPaths` does not apply. */
  hideOutput(name: string, text: string): Promise<MaskedText>
  /** Whether the file exists to hold secrets, such as `.env`, and is not allowed. It is never shown. */
  isWithheldFile(path: string): boolean
  /** Remembers the secrets of a file, so that they are hidden in other texts. Reports nothing as withheld. */
  learn(path: string, text: string): Promise<void>
  /** Remembers values that were found elsewhere. False if there is no room for all of them. */
  learnValues(values: Iterable<string>): boolean
  /** Names a file whose secrets may be unknown. */
  noteUnexamined(path: string, reason: string): void
  /** Replaces placeholders by their values, which must be in `home`, the current text of the edited file. */
  restore(text: string, home: string): Promise<{ readonly text: string } | { readonly problem: string }>
  /** Plain data for a worker thread that masks texts itself. */
  readonly forWorker: MaskData
}

export type MaskData = {
  readonly nonce: string
  readonly values: readonly string[]
  readonly allowedPaths: readonly string[]
}

const SECRET_FILE_REASON = 'file that holds secrets'
const UNCHECKED_REASON = 'could not be checked for secrets'

export function createMask({ nonce, allowedPaths, isSecretFile, findSpans }: MaskOptions): SecretMask {
  const known = createKnownValues()
  const list = createWithheldList()
  const unexamined = new Set<string>()
  const toPlaceholder = (value: string) => placeholderOf(nonce, value)
  const isSecret = rememberPaths(isSecretFile)
  const isWithheldFile = (path: string) => isSecret(path) && !allowedPaths.has(path)

  /** Undefined if the text could not be searched. */
  async function learnSpans(path: string, text: string): Promise<readonly SecretSpan[] | undefined> {
    const spans = await findSpans(path, text)
    for (const { start, end } of secretRanges(text, spans ?? [], [])) known.add(text.slice(start, end))
    if (isSecret(path)) learnSecretFile(known, text)
    return spans
  }

  function mask(text: string, ranges: readonly SecretRange[], withheld: readonly Withheld[]): MaskedText {
    return { text: replaceRanges(text, ranges, toPlaceholder), withheld, isWithheld: false }
  }

  function withholdAll(path: string, reason: string): MaskedText {
    const entry = { path, reason }
    list.add(path, [entry])
    return { text: `[withheld: ${reason}]`, withheld: [entry], isWithheld: true }
  }

  /** The values of all placeholders that stand for a part of the text. */
  async function valuesIn(text: string): Promise<ReadonlyMap<string, string> | undefined> {
    const spans = await findSpans('', text)
    if (spans === undefined) return undefined
    const found = known.find(text)
    const ranges = [...secretRanges(text, spans, found), ...secretRanges(text, spans, [])]
    const values = new Set(found.map(({ value }) => value))
    for (const { start, end } of ranges) values.add(text.slice(start, end))
    return new Map([...values].map((value) => [toPlaceholder(value), value]))
  }

  return {
    get withheld() {
      return list.entries
    },
    get forWorker() {
      return { nonce, values: known.all(), allowedPaths: [...allowedPaths] }
    },
    isWithheldFile,
    async hide(path, text) {
      const spans = await learnSpans(path, text)
      if (allowedPaths.has(path)) return { text, withheld: [], isWithheld: false }
      if (isWithheldFile(path)) return withholdAll(path, SECRET_FILE_REASON)
      if (spans === undefined) return withholdAll(path, UNCHECKED_REASON)
      const ranges = secretRanges(text, spans, known.find(text))
      return mask(text, ranges, list.addRanges(path, text, ranges, spans))
    },
    async hideOutput(name, text) {
      // Nothing is learned here: after a resume, values that only an output had would be unknown.
      const spans = await findSpans('', text)
      if (spans === undefined) return withholdAll(name, UNCHECKED_REASON)
      const ranges = secretRanges(text, spans, known.findForms(text))
      return mask(text, ranges, list.addReasons(name, ranges, spans))
    },
    async learn(path, text) {
      await learnSpans(path, text)
    },
    learnValues(values) {
      let isRoom = true
      for (const value of values) isRoom = known.add(value) && isRoom
      return isRoom
    },
    noteUnexamined(path, reason) {
      // Later commands of a turn examine more, so the first note is the longest.
      if (unexamined.has(path)) return
      unexamined.add(path)
      list.add(path, [{ path, reason: `not examined for secrets: ${reason}` }])
    },
    async restore(text, home) {
      const placeholders = placeholdersIn(text)
      if (placeholders.length === 0) return { text }
      const values = await valuesIn(home)
      if (values === undefined) return { problem: `The file ${UNCHECKED_REASON}, so it cannot be edited.` }
      const unknown = placeholders.find((each) => !values.has(each) && !home.includes(each))
      if (unknown !== undefined)
        return {
          problem: `${unknown} stands for a secret value that is not in this file. A secret value cannot be moved to another file.`,
        }
      return { text: replacePlaceholders(text, (each) => values.get(each) ?? each) }
    },
  }
}

const PATHS_REMEMBERED = 100_000

/** Tools ask for all paths of a workspace again and again. */
function rememberPaths(isMatch: (path: string) => boolean): (path: string) => boolean {
  const known = new Map<string, boolean>()
  return (path) => {
    const before = known.get(path)
    if (before !== undefined) return before
    if (known.size >= PATHS_REMEMBERED) known.clear()
    const matches = isMatch(path)
    known.set(path, matches)
    return matches
  }
}
