// Child processes for tests that kill them.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { bundled } from './bundle.ts'
import { scaledTimeout } from './timeouts.ts'

export type ProbeServer = { process: ChildProcess; address: string; kill(): Promise<void> }

/** Generous, because several servers may start at once on a busy machine. */
const START_MS = 120_000

/** Starts the service with the probe routes as a child process and waits until it listens. */
export async function startProbeServer(variables: Record<string, string>): Promise<ProbeServer> {
  const child = fork(await bundled('probe'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      ...process.env,
      SERVICE_ENV: 'test',
      SERVICE_DEV_AUTH: 'on',
      PORT: '0',
      ...UNLIMITED,
      ...variables,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errors = ''
  child.stderr?.on('data', (data) => {
    errors = (errors + data).slice(-4_000)
  })
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the server exited during its start: ${errors}`)),
  )
  const late = new Promise<never>((_, reject) => {
    setTimeout(
      () => reject(new Error(`the server did not start in time: ${errors}`)),
      scaledTimeout(START_MS),
    ).unref()
  })
  const [message] = (await Promise.race([once(child, 'message'), failed, late])) as [{ address: string }]
  failed.catch(() => undefined)
  return { process: child, address: message.address, kill: () => kill(child) }
}

/** Sends SIGKILL and waits for the exit. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const UNLIMITED = {
  SERVICE_SECRET: 'a secret that only tests know, long enough',
  SERVICE_RATE_LIMIT_AUTH: '1000000/60',
  SERVICE_RATE_LIMIT_MONEY: '1000000/60',
  SERVICE_RATE_LIMIT_WEBHOOK: '1000000/60',
  SERVICE_RATE_LIMIT_GLOBAL: '1000000/60',
}
