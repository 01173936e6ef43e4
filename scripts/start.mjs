// `npm start`: installs, builds if needed, and starts the service.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildStale } from './build.mjs'
import { childEnvironment, ensureInstalled, nodeBinary, ROOT } from './install.mjs'

ensureInstalled()
buildStale()

// The service stops when this IPC channel closes, even if this process is killed.
const service = spawn(
  nodeBinary(),
  ['--disable-warning=ExperimentalWarning', join(ROOT, 'server/src/main.ts')],
  {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: childEnvironment(),
  },
)
// Ctrl-C also reaches the service directly. The service treats simultaneous signals as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
service.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
