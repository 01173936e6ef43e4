// `npm start`: install, build what is stale, serve.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { childEnvironment, ensureInstalled, nodeBinary, ROOT } from './install.mjs'

ensureInstalled()
buildStale()

// The channel is a lifeline: when this process dies, however, the service notices and stops.
const service = spawn(
  nodeBinary(),
  ['--disable-warning=ExperimentalWarning', join(ROOT, 'server/src/main.ts')],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: childEnvironment(),
  },
)
// Ctrl-C reaches the service directly as well; it takes signals that come together for one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
service.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
