// Installs coding clients from npm, once per version, in a folder outside the repository.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { CodingClient } from './clients.ts'

const run = promisify(execFile)

const CACHE = process.env.COWRIE_CLIENTS_DIR ?? join(tmpdir(), 'cowrie-clients')
/** The slowest client takes 20 seconds on an idle machine. */
const INSTALL_MS = 300_000

/** The path of the client's program. Installs it unless this version is in the cache. */
export async function installClient(client: CodingClient): Promise<string> {
  const folder = join(CACHE, `${client.id}-${client.version}`)
  const program = join(folder, 'node_modules', '.bin', client.program)
  if (!existsSync(program)) await install(client, folder)
  return program
}

async function install(client: CodingClient, folder: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(join(CACHE, 'draft-'))
  writeFileSync(join(draft, 'package.json'), '{ "private": true }')
  const wanted = `${client.package}@${client.version}`
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', wanted], {
      cwd: draft,
      timeout: INSTALL_MS,
      env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}` },
    })
    // Another process may have installed the same version meanwhile.
    if (!existsSync(folder)) renameSync(draft, folder)
  } catch (error) {
    const details = String((error as { stderr?: unknown }).stderr ?? error).slice(-2_000)
    throw new Error(
      `npm could not install ${wanted}, which this test runs. It needs the npm registry.\n${details}`,
    )
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
