// The gateway that ours is compared with. It has no billing. It is installed outside the repository.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '../http/rounds.ts'
import { installPeer } from '../install-peer.ts'
import { inheritedEnvironment, type Usage } from '../processes.ts'

const PACKAGE = '@portkey-ai/gateway'
const MANIFEST = {
  dependencies: { [PACKAGE]: '1.15.2' },
  // Newer versions break its streaming.
  overrides: { '@hono/node-server': '1.13.8' },
}
const START_MS_MAX = 30_000
const TICKS_PER_SECOND = 100

/** Null if it cannot be installed. Then ours is compared with the upstream only, and the report mentions it. */
export async function startPeer(): Promise<Server | null> {
  const program = installPeer('cowrie-bench-peer', MANIFEST, `${PACKAGE}/build/start-server.js`)
  if (program === null) return null
  const port = await freePort()
  const child = spawn(process.execPath, [program, `--port=${port}`, '--headless'], {
    env: inheritedEnvironment() as NodeJS.ProcessEnv,
    stdio: 'ignore',
  })
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGKILL')
  }
  if (!(await answers(port))) {
    await stop()
    return null
  }
  return { port, process: { ask: async <T>() => usageOf(child.pid ?? 0) as T, stop } }
}

/** Read from /proc, which counts CPU time in hundredths of a second. */
function usageOf(pid: number): Usage {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const pages = Number(fields[21])
  return { cpuMicros: (ticks / TICKS_PER_SECOND) * 1e6, rssBytes: pages * 4_096, liveBytes: 0 }
}

async function answers(port: number): Promise<boolean> {
  for (const until = performance.now() + START_MS_MAX; performance.now() < until; await pause(200)) {
    const reply = await fetch(`http://127.0.0.1:${port}/`).catch(() => null)
    if (reply) return true
  }
  return false
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
