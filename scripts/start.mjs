// `npm start`: installs, builds if needed, and starts the service.
import { spawn } from 'node:child_process'
import { buildService, buildStale, SERVICE_FLAGS, SERVICE_VARIABLES } from './build.mjs'
import { childEnvironment, ensureInstalled, nodeBinary } from './install.mjs'

ensureInstalled()
buildStale()
const program = buildService()

// The service stops when this IPC channel closes, even if this process is killed.
const service = spawn(nodeBinary(), [...SERVICE_FLAGS, program], {
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...SERVICE_VARIABLES, ...childEnvironment() },
})
// Ctrl-C also reaches the service directly. The service treats simultaneous signals as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => service.kill(signal))
service.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
