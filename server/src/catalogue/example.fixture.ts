import type { ScannedFile } from './finding.ts'
import type { Language } from './program.ts'

/**
 * Code that shows what a rule is for. A text may hold several files: a line `=== path/of/file.ext` begins each. Where a bad
 * text marks a line with the comment `← here`, the rule must hit that line.
 */
export type Example = {
  readonly rule: string
  readonly bad: readonly string[]
  readonly good: readonly string[]
  /** Where a text stands that does not say so itself. */
  readonly path?: string
}

/** The files that a text holds. */
export function filesOf(text: string, language: Language, path?: string): ScannedFile[] {
  const files: { path: string; content: string }[] = [
    { path: path ?? `src/example.${ENDINGS[language]}`, content: '' },
  ]
  for (const line of text.split('\n')) {
    const next = /^=== (\S+)$/.exec(line)?.[1]
    if (next) files.push({ path: next, content: '' })
    const last = files.at(-1)
    if (last && !next) last.content += `${line}\n`
  }
  return files.filter(({ content }) => content.trim() !== '')
}

const ENDINGS: Readonly<Record<Language, string>> = {
  javascript: 'ts',
  python: 'py',
  java: 'java',
  go: 'go',
  php: 'php',
}
