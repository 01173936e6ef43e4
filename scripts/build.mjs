// Builds the web app if its source has changed. The server runs from source.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  const { status } = spawnSync(nodeBinary(), [join(ROOT, 'web', 'build.mjs')], {
    cwd: ROOT,
    stdio: 'inherit',
    env: childEnvironment(),
  })
  if (status !== 0) fail('The web app could not be built.')
  writeFileSync(STAMP, wanted)
}

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
}
