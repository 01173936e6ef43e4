// The baseline: PostgreSQL's load generator runs equivalent statements on the same server.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'

/** The path of pgbench. Root on Debian installs it if it is missing. Null if it is not available. */
export function findPgbench(): string | null {
  const found = look()
  if (found || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  try {
    execFileSync('apt-get', ['install', '-y', '-qq', 'postgresql-15'], { stdio: 'ignore', timeout: 180_000 })
  } catch {
    return null
  }
  return look()
}

function look(): string | null {
  const folders = (process.env.PATH ?? '').split(':')
  if (existsSync(DEBIAN)) folders.push(...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')))
  return folders.map((folder) => join(folder, 'pgbench')).find(existsSync) ?? null
}

export type Script = { readonly name: string; readonly text: string }

/** Transactions per second of one script. */
export async function pgbench(
  program: string,
  url: string,
  script: Script,
  clients: number,
  seconds: number,
): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-pgbench-'))
  const file = join(dir, 'script.sql')
  writeFileSync(file, script.text)
  try {
    const threads = String(Math.min(clients, 2))
    const options = [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(clients),
      '-j',
      threads,
      '-T',
      String(seconds),
      '-f',
      file,
    ]
    const { stdout } = await run(program, [...options, url], { timeout: (seconds + 30) * 1_000 })
    const tps = /^tps = ([\d.]+)/m.exec(stdout)?.[1]
    if (!tps) throw new Error(`pgbench printed no rate:\n${stdout}`)
    return Number(tps)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
