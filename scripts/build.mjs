// Builds the web app and the service if their source has changed.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment, digest, ensureInstalled, fail, nodeBinary, ROOT } from './install.mjs'

const STAMP = join(ROOT, 'web', 'dist', '.stamp')

export function buildStale() {
  const wanted = digest([
    ...filesOf('web/src'),
    ...filesOf('web/words'),
    ...filesOf('sdk/src'),
    'web/index.html',
    'web/build.mjs',
    'scripts/packages/licences.mjs',
    'package-lock.json',
  ])
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return
  if (run(join(ROOT, 'web', 'build.mjs')).status !== 0) fail('The web app could not be built.')
  writeFileSync(STAMP, wanted)
}

const HOUR_MS = 3_600_000
const BUNDLE = join(ROOT, 'scripts', 'packages', 'bundle-service.mjs')
const SERVICE = join(ROOT, 'server', 'dist')
const SERVICE_STAMP = join(SERVICE, 'stamp.json')

/**
 * Bundles the service if its source has changed, and returns the program. Every bundle has its own folder, because a running service
 * loads some parts later. The one before it is kept.
 */
export function buildService() {
  const last = existsSync(SERVICE_STAMP) ? JSON.parse(readFileSync(SERVICE_STAMP, 'utf8')) : { files: [] }
  const isFresh = last.folder && existsSync(programIn(last.folder)) && digest(last.files) === last.digest
  if (isFresh) return programIn(last.folder)
  const folder = randomBytes(6).toString('hex')
  mkdirSync(SERVICE, { recursive: true })
  const { status, stdout } = run(BUNDLE, join(SERVICE, folder))
  if (status !== 0) fail('The service could not be built.')
  const files = [
    'package-lock.json',
    ...JSON.parse(stdout)
      .map((file) => relative(ROOT, file))
      .sort(),
  ]
  const draft = `${SERVICE_STAMP}.${folder}`
  writeFileSync(draft, JSON.stringify({ folder, digest: digest(files), files }))
  renameSync(draft, SERVICE_STAMP)
  for (const entry of readdirSync(SERVICE, { withFileTypes: true }))
    if (entry.isDirectory() && ![folder, last.folder].includes(entry.name))
      removeOld(join(SERVICE, entry.name))
  return programIn(folder)
}

/** Runs a script with the pinned Node.js. Its output is returned, its errors are shown. */
const run = (script, ...args) =>
  spawnSync(nodeBinary(), [script, ...args], {
    cwd: ROOT,
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: childEnvironment(),
  })

/** Another process may have built and started a bundle a moment ago, so only old ones are removed. */
function removeOld(folder) {
  if (Date.now() - statSync(folder).mtimeMs > HOUR_MS) rmSync(folder, { recursive: true, force: true })
}

/** For the Node.js that runs the program. A smaller young generation costs no speed, and saves a quarter of the memory under load. */
export const SERVICE_FLAGS = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16']

/** Otherwise the C library keeps freed memory in a separate arena for each thread. */
export const SERVICE_VARIABLES = { MALLOC_ARENA_MAX: '2' }

const programIn = (folder) => join(SERVICE, folder, 'main.mjs')

function filesOf(folder) {
  const path = join(ROOT, folder)
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return entries.map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name))).sort()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureInstalled()
  buildStale()
  buildService()
}
