// The licences of the packages that a bundle contains. Most of them ask for one thing: that their text travels along.
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROOT } from '../install.mjs'

/** One text with the licence of each package that a module comes from. Paths may be relative to the repository. */
export function licencesOf(modules) {
  const folders = modules.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  return [...new Set(folders.map((folder) => resolve(ROOT, folder)))].sort().map(licenceOf).join('\n')
}

function licenceOf(folder) {
  const { name, version } = JSON.parse(readFileSync(resolve(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^(licen[cs]e|copying)/i.test(each))
  if (!file)
    throw new Error(
      `${name} ${version} has no licence file. Replace the package: a bundle must carry its licence.`,
    )
  return `${name} ${version}\n\n${readFileSync(resolve(folder, file), 'utf8').trim()}\n`
}
