// What the catalogue is shown as bad and as put right: the examples of every rule.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Example, filesOf } from '../src/catalogue/example.fixture.ts'
import type { ScannedFile } from '../src/catalogue/finding.ts'
import type { Language } from '../src/catalogue/program.ts'

/** A text with the rule it is about. Several files in one text are looked at together. */
export type Labelled = {
  readonly rule: string
  /** The folder that the rule stands in: a language, `fintech`, `secrets`. */
  readonly area: string
  readonly isBad: boolean
  readonly files: readonly ScannedFile[]
}

const CATALOGUE = join(import.meta.dirname, '../src/catalogue')
const LANGUAGES: readonly Language[] = ['javascript', 'python', 'java', 'go', 'php']

export async function labelledSet(): Promise<Labelled[]> {
  const paths = globSync('*/{rules/*,secrets}.fixture.ts', { cwd: CATALOGUE }).sort()
  const sets = await Promise.all(paths.map(labelledIn))
  return sets.flat()
}

async function labelledIn(path: string): Promise<Labelled[]> {
  // A fixture may also be what several others are made of.
  const { examples = [] } = (await import(join(CATALOGUE, path))) as {
    readonly examples?: readonly Example[]
  }
  const area = path.split(/[\\/]/)[0] ?? ''
  const language = LANGUAGES.find((each) => each === area) ?? 'javascript'
  return examples.flatMap(({ rule, bad, good, path: at }) =>
    [bad, good].flatMap((texts, index) =>
      texts.map((text) => ({ rule, area, isBad: index === 0, files: filesOf(text, language, at) })),
    ),
  )
}
