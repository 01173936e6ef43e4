// `node models/train/fetch.ts <folder> [list]`: downloads the training sources listed in the provenance
// into the folder that train.ts reads. Unavailable packages are reported and skipped.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ListedPackage, readList } from './package-list.ts'

const TIMEOUT_MS = 120_000

const [folder, list = join(import.meta.dirname, '../embedding/weights/provenance.tsv')] =
  process.argv.slice(2)
if (!folder) throw new Error('usage: node models/train/fetch.ts <folder> [list]')

const missing = readList(list).filter((listed) => !fetched(folder, listed))
for (const { source, name, version } of missing)
  process.stderr.write(`not to be had: ${source} ${name} ${version}\n`)

function fetched(into: string, { source, name, version }: ListedPackage): boolean {
  const target = join(into, source, name.replace('/', '+'))
  if (existsSync(target)) return true
  const archives = mkdtempSync(join(tmpdir(), 'sources-'))
  try {
    if (!run(archives, ...download(source, name, version))) return false
    mkdirSync(target, { recursive: true })
    return readdirSync(archives).every((file) => unpack(join(archives, file), file, target))
  } finally {
    rmSync(archives, { recursive: true })
  }
}

/** Each ecosystem's own tool downloads and verifies the package. `java` are source packages of Debian. */
function download(source: string, name: string, version: string): [command: string, ...words: string[]] {
  if (source === 'npm') return ['npm', 'pack', '--silent', `${name}@${version}`]
  if (source === 'pip')
    return ['pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', `${name}==${version}`]
  if (source === 'deb') return ['apt-get', 'download', `${name}=${version}`]
  return ['apt-get', 'source', '--download-only', `${name}=${version}`]
}

function unpack(archive: string, file: string, target: string): boolean {
  if (file.endsWith('.tgz')) return run(target, 'tar', 'xzf', archive, '--strip-components=1')
  if (file.endsWith('.whl')) return run(target, 'unzip', '-q', '-o', archive)
  if (/\.tar\.\w+$/.test(file)) return run(target, 'tar', 'xf', archive)
  // Only the archive name contains the version.
  const kind = /\.(deb|dsc)$/.exec(file)?.[1]
  if (kind) writeFileSync(join(target, `.${kind}`), `${file}\n`)
  return kind === 'deb' ? run(target, 'dpkg-deb', '-x', archive, '.') : true
}

function run(directory: string, command: string, ...words: string[]): boolean {
  const { status } = spawnSync(command, words, { cwd: directory, stdio: 'ignore', timeout: TIMEOUT_MS })
  return status === 0
}
