// Installs packages that benchmarks compare with. Each goes into a temporary folder, because the product does not need it.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The path of a file in the installed package. Null if it cannot be installed. */
export function installPeer(
  name: string,
  manifest: { dependencies: Record<string, string>; overrides?: Record<string, string> },
  file: string,
): string | null {
  const dir = join(tmpdir(), name)
  const path = join(dir, 'node_modules', file)
  if (existsSync(path)) return path
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'package.json'), JSON.stringify({ name, private: true, ...manifest }))
  const done = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: dir,
    stdio: 'ignore',
  })
  return done.status === 0 && existsSync(path) ? path : null
}
