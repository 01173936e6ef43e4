// Keeps secrets from models. A model reads a placeholder for each secret value; edits get the value back. Files that
// exist to hold secrets are never shown. The reply lists everything withheld.

import { isSecretFile, SECRET_FILE_REASON, type SecretSpan } from '@cowrie/analysis/secret-formats/secrets.ts'
import { ApiError } from '../../kernel/errors.ts'
import { TaskTimeout } from '../../platform/workers/workers.ts'
import { type ContextFile, countLines } from './context.ts'
import { findSecretSpans } from './find-secrets.ts'

export type WithheldSecret = { readonly path: string; readonly line?: number; readonly reason: string }

/** A text with more secret lines gets one entry. */
const LINES_NAMED_MAX = 5
/** Known values are also hidden where the context does not mark them as secret. */
const KNOWN_VALUES_MAX = 100
const KNOWN_VALUE_CHARACTERS = 8

/**
 * Line numbers are only reported for the caller's own texts. `unshown`: searched for values that other texts may
 * print.
 */
type HiddenTextKind = 'file' | 'prompt' | 'foreign' | 'unshown'

export type SecretFilterOptions = {
  /** The organisation, for fair scheduling on the worker threads. */
  readonly owner: string
  /** The caller sends secrets on purpose, in its files and prompt. */
  readonly allowSecrets: boolean
}

export type SecretFilter = {
  /** Everything withheld so far. */
  readonly withheld: readonly WithheldSecret[]
  /** The rule about placeholders; empty while there are none. */
  readonly rule: string
  /** The caller's files as a model may read them. */
  hideFiles(files: readonly ContextFile[]): Promise<ContextFile[]>
  /** The caller's own prompt. */
  hidePrompt(path: string, text: string): Promise<string>
  /** Text that the caller did not send: test output, index excerpts. Hidden even if `allowSecrets` is set. */
  hideForeignText(path: string, text: string): Promise<string>
  /** Replaces placeholders by their values. */
  restore(text: string): string
  /** Whether the text has a placeholder of a value that `home` does not contain. */
  hasForeignPlaceholder(text: string, home: string): boolean
}

/** `texts`: all texts known at the start. Placeholders never collide with them. */
export function createSecretFilter(
  { owner, allowSecrets }: SecretFilterOptions,
  texts: readonly string[],
): SecretFilter {
  const mark = choosePlaceholderPrefix(texts)
  const placeholders = new RegExp(`${mark}\\d+_`, 'g')
  const byValue = new Map<string, string>()
  const byPlaceholder = new Map<string, string>()
  const withheld = new Map<string, WithheldSecret>()
  const named = new Set<string>()
  /** The last text of each path: later turns mostly read the same files. */
  const last = new Map<string, { readonly text: string; readonly spans: readonly SecretSpan[] }>()

  function placeholderOf(value: string): string {
    const known = byValue.get(value)
    if (known !== undefined) return known
    const placeholder = `${mark}${byValue.size + 1}_`
    byValue.set(value, placeholder)
    byPlaceholder.set(placeholder, value)
    return placeholder
  }

  async function hide(parts: readonly ContextFile[], kind: HiddenTextKind): Promise<string[]> {
    const fresh = parts.filter(({ path, content }) => last.get(path)?.text !== content)
    const found = await findSecrets(
      fresh.map(({ content }) => content),
      owner,
    )
    for (const [i, { path, content }] of fresh.entries())
      last.set(path, { text: content, spans: found[i] ?? [] })
    const masked = parts.map(({ path, content }) => {
      const spans = last.get(path)?.spans ?? []
      recordWithheld(path, spans, kind)
      return replaceSpans(content, spans, placeholderOf)
    })
    const values = [...byValue].filter(([value]) => value.length >= KNOWN_VALUE_CHARACTERS)
    return masked.map((text) =>
      values
        .slice(0, KNOWN_VALUES_MAX)
        .reduce((all, [value, placeholder]) => all.replaceAll(value, placeholder), text),
    )
  }

  /** A file is reported once: later turns may move its lines. */
  function recordWithheld(path: string, spans: readonly SecretSpan[], kind: HiddenTextKind): void {
    if (kind === 'unshown' || (kind === 'file' && named.has(path))) return
    if (kind === 'file') named.add(path)
    const lines = new Map(spans.map(({ line, reason }) => [line, reason]))
    const entries: WithheldSecret[] =
      lines.size > LINES_NAMED_MAX
        ? [{ path, reason: `${lines.size} lines with secrets` }]
        : [...lines].map(([line, reason]) => (kind === 'foreign' ? { path, reason } : { path, line, reason }))
    for (const entry of entries) withheld.set(`${path} ${entry.line ?? ''} ${entry.reason}`, entry)
  }

  async function hideFiles(files: readonly ContextFile[]): Promise<ContextFile[]> {
    if (allowSecrets) return [...files]
    const isShown = ({ path }: ContextFile) => !isSecretFile(path)
    const unshown = files.filter((file) => !isShown(file))
    await hide(unshown, 'unshown')
    for (const { path } of unshown) withheld.set(path, { path, reason: SECRET_FILE_REASON })
    const shown = files.filter(isShown)
    const texts = new Map((await hide(shown, 'file')).map((text, i) => [shown[i]?.path, text]))
    return files.map(({ path, content }) => {
      const text = texts.get(path)
      return text === undefined
        ? { path, content: '', withheldLines: countLines(content) }
        : { path, content: text }
    })
  }

  async function hideForeignText(path: string, text: string): Promise<string> {
    const [hidden = ''] = await hide([{ path, content: text }], 'foreign')
    return hidden
  }

  return {
    get withheld() {
      return [...withheld.values()]
    },
    get rule() {
      return byValue.size === 0
        ? ''
        : `Names such as ${mark}1_ stand for secret values that you are not shown. Copy them unchanged where the value has to stay, and never guess what they stand for.`
    },
    hideFiles,
    async hidePrompt(path, text) {
      const [hidden = ''] = allowSecrets ? [text] : await hide([{ path, content: text }], 'prompt')
      return hidden
    },
    hideForeignText,
    restore: (text) => text.replace(placeholders, (each) => byPlaceholder.get(each) ?? each),
    hasForeignPlaceholder: (text, home) =>
      (text.match(placeholders) ?? []).some((each) => {
        const value = byPlaceholder.get(each)
        return value !== undefined && !home.includes(value)
      }),
  }
}

const MARK = 'WITHHELD_SECRET_'

/** Equal texts get equal placeholders, so that a run and its quote have the same size. */
function choosePlaceholderPrefix(texts: readonly string[]): string {
  let mark = MARK
  while (texts.some((text) => text.includes(mark))) mark = `${mark}_`
  return mark
}

async function findSecrets(texts: readonly string[], owner: string): Promise<SecretSpan[][]> {
  try {
    return await findSecretSpans(texts, owner)
  } catch (error) {
    // A text that was not searched is not sent.
    if (error instanceof TaskTimeout) throw new ApiError('busy')
    throw error
  }
}

/** Each line of a secret gets its own placeholder, so that line numbers stay. */
function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  placeholderOf: (value: string) => string,
): string {
  let hidden = ''
  let done = 0
  for (const { start, end } of spans) {
    hidden += text.slice(done, start) + text.slice(start, end).replace(/\S+/g, placeholderOf)
    done = end
  }
  return hidden + text.slice(done)
}
