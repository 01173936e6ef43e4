// Which paths the ignore files among them leave out. On a thread: a pattern can be written so that it takes for ever.
import { createRequire } from 'node:module'
import type { Ignore } from 'ignore'

export type IgnoreInput = {
  readonly paths: readonly string[]
  /** Each holds for its own folder and what is below it. */
  readonly ignoreFiles: readonly { readonly folder: string; readonly text: string }[]
}

// The package is a CommonJS one whose types and exports are at odds about what is the default.
const createIgnore = createRequire(import.meta.url)('ignore') as () => Ignore

/** The paths that are left out. */
export function run({ paths, ignoreFiles }: IgnoreInput): string[] {
  const rules = ignoreFiles
    .toSorted((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, text }) => ({ folder, ignore: createIgnore().add(text) }))
  return paths.filter((path) => {
    let isIgnored = false
    // The deepest has the last word.
    for (const { folder, ignore } of rules) {
      if (!path.startsWith(folder)) continue
      const { ignored, unignored } = ignore.test(path.slice(folder.length))
      isIgnored = ignored || (isIgnored && !unignored)
    }
    return isIgnored
  })
}
