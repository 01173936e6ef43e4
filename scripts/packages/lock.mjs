// `npm run lock`, after a change of dependencies: installs, then checks the lockfile for every platform.
// npm omits a platform's binary from the lockfile if the registry lacks it. `npm ci` on that platform would then install
// something unverified or nothing, so such a lockfile is refused and the previous one restored.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, ROOT } from '../install.mjs'

const LOCKFILE = join(ROOT, 'package-lock.json')

/** One line per problem. Empty if the lockfile is complete. */
export function faultsOf({ packages }) {
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  )
  const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies),
  )
  return [
    ...wanted
      .filter(([name]) => !packages[`node_modules/${name}`])
      .map(([name, version]) => `${name}@${version} is not in the registry`),
    ...installed
      .filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''))
      .map(([path, { version }]) => `${nameOf(path)}@${version} has no SHA-512 integrity hash`),
    ...installed
      .filter(([, { resolved }]) => resolved !== undefined)
      .map(([path, { version }]) => `${nameOf(path)}@${version} has a download address`),
  ]
}

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const previous = readFileSync(LOCKFILE)
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...process.argv.slice(2)], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
  const faults = faultsOf(JSON.parse(readFileSync(LOCKFILE, 'utf8')))
  if (faults.length > 0) {
    writeFileSync(LOCKFILE, previous)
    fail(
      `The new lockfile cannot be verified on every platform; the previous one was restored.\n${faults.map((fault) => `- ${fault}`).join('\n')}\nChoose versions that the registry has for all platforms, then run npm run lock again.`,
    )
  }
}
