// A network without a way out that all commands of a session share, so that one can talk to a server that another started. Without
// it, each command has its own.
import { execFile, spawn } from 'node:child_process'
import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { commandEnvironment, type Environment } from './environment.ts'

export type PrivateNetwork = {
  /** Words before a command that start it in this network. */
  readonly enter: readonly string[]
  close(): void
}

const START_MS = 5_000

/** Null if this computer cannot share one. */
export async function openPrivateNetwork(
  bubblewrap: string,
  env: Environment,
): Promise<PrivateNetwork | null> {
  const nsenter = ['/usr/bin/nsenter', '/bin/nsenter'].find(isProgram)
  if (nsenter === undefined) return null
  const variables = commandEnvironment(env, null, { isOnline: false, isSecret: () => true })
  // A process that makes the network and waits. Open files keep the network when it ends.
  const child = spawn(
    bubblewrap,
    [
      '--unshare-user',
      '--unshare-net',
      '--unshare-pid',
      '--die-with-parent',
      '--ro-bind',
      '/',
      '/',
      '--json-status-fd',
      '3',
      '--',
      '/bin/sh',
      '-c',
      'echo ready; read -r _',
    ],
    {
      cwd: '/',
      env: variables,
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    },
  )
  try {
    const pid = await childPid(child)
    if (pid === null) return null
    const user = openSync(`/proc/${pid}/ns/user`, 'r')
    const net = openSync(`/proc/${pid}/ns/net`, 'r')
    const own = `/proc/${process.pid}/fd`
    const enter = [nsenter, '--preserve-credentials', `--user=${own}/${user}`, `--net=${own}/${net}`]
    const close = () => {
      closeSync(user)
      closeSync(net)
    }
    if (await isIsolated([...enter, bubblewrap], variables)) return { enter, close }
    close()
    return null
  } catch {
    return null
  } finally {
    child.kill('SIGKILL')
  }
}

/** Whether a sandbox can be started in the network, and finds nothing but itself there. */
function isIsolated(
  [program = '', ...words]: readonly string[],
  env: Record<string, string>,
): Promise<boolean> {
  const sandbox = [
    '--unshare-user',
    '--unshare-pid',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--proc',
    '/proc',
  ]
  const probe = ['--', '/bin/sh', '-c', 'grep -c : /proc/net/dev']
  return new Promise((resolve) => {
    execFile(
      program,
      [...words, ...sandbox, ...probe],
      { cwd: '/', env, timeout: START_MS },
      (error, output) => resolve(error === null && output === '1\n'),
    )
  })
}

function childPid(child: ReturnType<typeof spawn>): Promise<number | null> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(null), START_MS)
    const end = (pid: number | null) => {
      clearTimeout(late)
      resolve(pid)
    }
    let [status, isReady] = ['', false]
    const look = () => {
      const [, pid] = /"child-pid": *(\d+)/.exec(status) ?? []
      // The network is complete when the first program runs in it.
      if (isReady && pid !== undefined) end(Number(pid))
    }
    child.stdout?.once('data', () => {
      isReady = true
      look()
    })
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      status += chunk.toString('utf8')
      look()
    })
    child.on('error', () => end(null))
    child.on('exit', () => end(null))
  })
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
