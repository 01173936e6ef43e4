// The files that the build of the web app makes for the public pages. They are served below /app/site.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { assert, present } from '../../kernel/assert.ts'
import { once } from '../../kernel/once.ts'
import { readSite } from '../../platform/http/static/static.ts'

const BUILT = fileURLToPath(new URL('../../../../web/dist/site', import.meta.url))

export type Assets = {
  /** Addresses on this origin. */
  readonly script: string
  readonly style: string
  readonly icon: string
  readonly preview: string
  /** The style of the first screen, which is part of each page, and its source for the content security policy. */
  readonly critical: string
  readonly criticalSource: string
  readonly worker: Buffer
  /** The names of the coding clients that `cowrie setup` configures. */
  readonly clients: readonly string[]
}

/** Read on the first request. */
export const readAssets = once((): Assets => {
  const files = readSite(BUILT)
  const named = (pattern: RegExp): string => {
    const name = [...files.keys()].find((candidate) => pattern.test(candidate))
    assert(name !== undefined, 'the web app is built; `npm run build` does it')
    return name
  }
  const bytesOf = (pattern: RegExp): Buffer => present(files.get(named(pattern)), 'a built file').bytes
  const critical = bytesOf(/^critical-.*\.css$/)
    .toString()
    .trim()
  return {
    script: `/app/site/${named(/^site-.*\.js$/)}`,
    style: `/app/site/${named(/^style-.*\.css$/)}`,
    icon: `/app/site/${named(/^icon-.*\.svg$/)}`,
    preview: `/app/site/${named(/^preview-.*\.png$/)}`,
    critical,
    criticalSource: `'sha256-${createHash('sha256').update(critical).digest('base64')}'`,
    worker: bytesOf(/^worker\.js$/),
    clients: JSON.parse(bytesOf(/^clients\.json$/).toString()) as string[],
  }
})
