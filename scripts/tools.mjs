// Programs that tests need and npm does not provide. Root on Debian installs them.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first program is preferred; one of them is enough. Package names equal program names, except in PACKAGES. */
const TOOLS = [
  // The headless browser opens pages much faster.
  { programs: ['chromium-headless-shell', 'chromium'], for: 'pages in a real browser' },
  { programs: ['redis-server'], for: 'rate limits in Redis' },
  { programs: ['bwrap'], for: 'the local sandbox' },
  { programs: ['haproxy'], for: 'the proxy of a deployment' },
]
const PACKAGES = { bwrap: 'bubblewrap' }

/** Installs missing programs as root on Debian, and warns about those still missing. */
export function ensureTools() {
  const wanted = TOOLS.filter(({ programs }) => !onPath(programs[0]))
  if (wanted.length > 0 && process.getuid?.() === 0 && onPath('apt-get')) install(wanted)
  for (const tool of wanted.filter(({ programs }) => !programs.some(onPath)))
    process.stderr.write(
      `!! ${tool.programs[0]} is not installed and could not be: ${tool.for} will NOT be tested. Install it with your system's packages.\n`,
    )
}

function install(tools) {
  apt('update', '-q')
  // One at a time, so that an unavailable package does not prevent the others.
  for (const { programs } of tools)
    for (const program of programs) {
      if (onPath(program)) break
      process.stderr.write(`Installing ${program} …\n`)
      apt('install', '-y', '-q', '--no-install-recommends', PACKAGES[program] ?? program)
      if (onPath(program)) break
    }
}

const apt = (...args) =>
  spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: 600_000,
  })

const onPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
