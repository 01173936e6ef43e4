// The transfer size of each screen with brotli: HTML, styles and scripts.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DIST = fileURLToPath(new URL('../dist/', import.meta.url))

/** The size of everything that a first visit loads. */
export function shellBytes(): number {
  const page = readFileSync(`${DIST}index.html`, 'utf8')
  const linked = [...page.matchAll(/(?:href|src)="\/app\/([^"]+\.(?:css|js))"/g)].map(([, name = '']) => name)
  return compressed('index.html') + linked.reduce((sum, name) => sum + compressed(name), 0)
}

/** The additional size of each path. */
export function screenBytes(): Map<string, number> {
  const scripts = JSON.parse(readFileSync(`${DIST}.scripts.json`, 'utf8')) as Record<string, string>
  return new Map(
    Object.entries(scripts).map(([path, names]) => [
      path,
      names
        .split(' ')
        .filter(Boolean)
        .reduce((sum, name) => sum + compressed(name), 0),
    ]),
  )
}

/** The sizes of the style sheets of single areas. */
export const partStyles = (): Map<string, number> =>
  new Map(
    readdirSync(DIST)
      .filter((name) => /^[\w-]+-\w{6,8}\.css$/.test(name) && !name.startsWith('style-'))
      .map((name) => [name.replace(/-\w{6,8}\.css$/, ''), compressed(name)]),
  )

/** The size of each translation file. */
export const languageBytes = (): Map<string, number> =>
  new Map(
    readdirSync(DIST)
      .filter((name) => /^\w\w-[\w-]+-\w{6,8}\.json$/.test(name))
      .map((name) => [name.replace(/-\w{6,8}\.json$/, ''), compressed(name)]),
  )

const compressed = (name: string): number =>
  existsSync(`${DIST}${name}.br`) ? statSync(`${DIST}${name}.br`).size : 0
