// Collects the licences of the packages in a bundle. Most licences require that their text is included.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROOT } from '../install.mjs'

/** One text with the licence of each package in `modules`. Paths may be relative to the repository. */
export function licencesOf(modules) {
  const folders = modules.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders.map((folder) => resolve(ROOT, folder)))].sort().map(licenceOf).join('\n')
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
  if (!file)
    throw new Error(
      `${name} ${version} has no licence file. A bundle must contain the licence, so use another package.`,
    )
  return `${name} ${version}\n\n${readFileSync(resolve(folder, file), 'utf8').trim()}\n`
}
