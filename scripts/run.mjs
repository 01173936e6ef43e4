// Runs a script or a tool of this repository with the pinned Node.js: `run.mjs file.ts …` or `run.mjs --bin tool …`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { childEnvironment, ensureInstalled, nodeBinary, ROOT } from './install.mjs'

ensureInstalled()
const [first = '', ...rest] = process.argv.slice(2)
const [command, args] =
  first === '--bin'
    ? [join(ROOT, 'node_modules', '.bin', rest[0] ?? ''), rest.slice(1)]
    : [nodeBinary(), ['--disable-warning=ExperimentalWarning', join(ROOT, first), ...rest]]
const child = spawn(command, args, { stdio: 'inherit', cwd: ROOT, env: childEnvironment() })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
