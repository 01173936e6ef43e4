// Programs that tests use and npm does not have: Debian's packages, installed where that is possible.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const TOOLS = [
  { program: 'chromium', package: 'chromium', for: 'pages in a real browser' },
  { program: 'redis-server', package: 'redis-server', for: 'rate limits in Redis' },
  { program: 'bwrap', package: 'bubblewrap', for: 'the local sandbox' },
]

/** Installs what is missing when we are root on Debian; says loudly what could not be. The tests that need it say so too. */
export function ensureTools() {
  const missing = TOOLS.filter(({ program }) => !onPath(program))
  if (missing.length === 0) return
  const packages = missing.map((tool) => tool.package)
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    process.stderr.write(`Installing ${packages.join(', ')} …\n`)
    const apt = (...args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        timeout: 600_000,
      })
    apt('update', '-q')
    apt('install', '-y', '-q', '--no-install-recommends', ...packages)
  }
  for (const tool of missing.filter(({ program }) => !onPath(program)))
    process.stderr.write(
      `!! ${tool.program} is not installed and could not be: ${tool.for} will NOT be tested. Install it with your system's packages.\n`,
    )
}

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
