// Makes a fresh clone runnable: installs the dependencies of the lockfile, including the pinned Node.js.
// Runs on any Node.js of the system, before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const STAMP = join(ROOT, 'node_modules', '.installed')
const WORKSPACES = ['', ...JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).workspaces]
const LOCKFILE = join(ROOT, 'package-lock.json')
/** A package that contains the Node.js binary, verified by the lockfile. */
const PINNED_NODE = join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')

/** Installs if the lockfile has changed since the last time. */
export function ensureInstalled() {
  const wanted = digest(['package-lock.json', ...WORKSPACES.map((folder) => join(folder, 'package.json'))])
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  if (!isInstalledFromLockfile()) {
    process.stderr.write('Installing dependencies (once; about 300 MB, which takes one to three minutes) …\n')
    // `npm ci` refuses a package.json that differs from the lockfile. An install still verifies all locked packages.
    if (!npm('ci') && !npm('install', '--no-save'))
      fail('The dependencies could not be installed; see above.')
  }
  writeFileSync(STAMP, wanted)
}

/** Compares the lockfile with npm's record in node_modules. */
function isInstalledFromLockfile() {
  const record = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(record)) return false
  const [locked, installed] = [LOCKFILE, record].map(
    (path) => JSON.parse(readFileSync(path, 'utf8')).packages,
  )
  return hasAll(installed, locked) && WORKSPACES.every((folder) => isLocked(folder, locked))
}

/** Whether the lockfile has the dependencies of a package.json. */
function isLocked(folder, locked) {
  const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every((kind) =>
    isDeepStrictEqual(manifest[kind] ?? {}, locked[folder]?.[kind] ?? {}),
  )
}

/**
 * Whether every workspace is linked and every locked package is installed with the same hash. Optional packages may be missing:
 * most are for other platforms.
 */
export function hasAll(installed, locked) {
  return Object.entries(locked)
    .filter(([path]) => path.includes('node_modules/'))
    .every(([path, { integrity, optional }]) => {
      const found = installed[path]
      return found ? found.integrity === integrity : optional === true
    })
}

function npm(...args) {
  const [command, ...prefix] = npmCommand()
  const { status } = spawnSync(command, [...prefix, ...args, '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'development' },
  })
  return status === 0
}

/** The npm that runs this process, or the one on the PATH. */
export function npmCommand() {
  const itself = process.env.npm_execpath
  return itself?.endsWith('.js') ? [process.execPath, itself] : ['npm']
}

/** The pinned Node.js. On platforms without one, the system's Node.js if it is new enough. */
export function nodeBinary() {
  if (existsSync(PINNED_NODE)) return PINNED_NODE
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(
    `Node.js ${process.versions.node} is too old, and there is no newer one for ${process.platform}-${process.arch} among the dependencies. Install Node.js 24 or newer, then try again.`,
  )
}

/** The environment of child processes: the pinned Node.js first on the PATH, and a compile cache. */
export function childEnvironment() {
  const path = [dirname(nodeBinary()), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return {
    ...process.env,
    PATH: path,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(ROOT, 'node_modules', '.cache', 'compile'),
  }
}

export function digest(files) {
  const hash = createHash('sha256')
  for (const file of files)
    hash.update(file).update(existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file)) : '')
  return hash.digest('hex')
}

export function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
