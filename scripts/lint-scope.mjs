// The files that lint must check: those that have changed since it last passed in this checkout. Its rules read one file at a time.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files that decide about all others. */
const RULES = ['biome.json', '.gitignore', 'package-lock.json']

/** @returns {{ paths: string[], pass: () => void }} `pass` records that lint found nothing in `paths`. */
export function lintScope(root, record = join(root, 'node_modules', '.cache', 'lint.json')) {
  const files = filesIn(root)
  if (!files) return { paths: ['.'], pass: () => undefined }
  const now = Object.fromEntries(files.map((path) => [path, digestOf(join(root, path))]))
  const before = read(record)
  const isSame = (path) => now[path] === before[path]
  const changed = files.filter((path) => now[path] !== undefined && !isSame(path))
  const paths = RULES.every(isSame) ? changed : ['.']
  const pass = () => {
    mkdirSync(dirname(record), { recursive: true })
    writeFileSync(record, JSON.stringify(now))
  }
  return { paths, pass }
}

/** All files that git knows or would add, or null without git. */
function filesIn(root) {
  const listed = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return listed.status === 0 ? [...new Set(listed.stdout.split('\0').filter(Boolean))] : null
}

/** Undefined for a file that is deleted but still in the index. */
function digestOf(path) {
  try {
    return createHash('sha1').update(readFileSync(path)).digest('base64')
  } catch {
    return undefined
  }
}

function read(record) {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return {}
  }
}
