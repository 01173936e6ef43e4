// A browser process without a network, in a process group that ends together. Its memory is limited, because pages are untrusted.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'

export type BrowserOptions = {
  /** The path of Chromium. */
  readonly executable: string
  /** False only in development as root, where Chromium cannot use its sandbox. */
  readonly isSandboxed: boolean
  /** Holds everything that the browser writes. */
  readonly folder: string
}

export function startBrowser({ executable, isSandboxed, folder }: BrowserOptions): ChildProcess {
  const browser = spawn(
    executable,
    [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${folder}`,
      // No name is resolved and no connection is made, also not by web sockets or workers.
      '--host-resolver-rules=MAP * ~NOTFOUND',
      '--proxy-server=http://127.0.0.1:9',
      '--proxy-bypass-list=<-loopback>',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--block-new-web-contents',
      '--disable-background-networking',
      '--disable-breakpad',
      '--disable-component-update',
      '--disable-default-apps',
      '--disable-dev-shm-usage',
      '--disable-extensions',
      '--disable-gpu',
      '--disable-sync',
      '--no-first-run',
      '--js-flags=--max-old-space-size=256',
      ...(isSandboxed ? [] : ['--no-sandbox']),
      'about:blank',
    ],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // The group contains the helper processes of the browser.
      detached: true,
      env: { HOME: folder, TMPDIR: folder, PATH: process.env.PATH ?? '' },
    },
  )
  // Helpers can outlive a browser that crashed.
  browser.once('exit', () => killGroup(browser))
  return browser
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null

export function killBrowser(browser: ChildProcess): void {
  if (!hasEnded(browser)) killGroup(browser)
}

/** Resolves when the browser has ended and no longer writes. */
export async function endBrowser(browser: ChildProcess): Promise<void> {
  if (hasEnded(browser)) return
  const ended = once(browser, 'exit')
  killGroup(browser)
  await ended
}

const WATCH_MS = 250
const PAGE_BYTES = 4_096

/** Kills the browser when the private memory of its processes exceeds the limit. Returns a function that stops watching. */
export function limitMemory(browser: ChildProcess, bytesMax: number): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const check = async () => {
    if (hasEnded(browser) || isStopped) return
    if ((await privateBytes(browser.pid ?? 0)) > bytesMax) return killBrowser(browser)
    if (!isStopped) timer = setTimeout(() => void check(), WATCH_MS)
  }
  void check()
  return () => {
    isStopped = true
    clearTimeout(timer)
  }
}

/** Of all processes in a group. 0 where the system has no `/proc`. */
async function privateBytes(group: number): Promise<number> {
  const names = await readdir('/proc').catch(() => [])
  const sizes = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => privateBytesOf(pid, group)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** 0 when the process has ended meanwhile, or belongs to another group. */
async function privateBytesOf(pid: string, group: number): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
  // The name, in parentheses, can contain spaces. The group is the third word after it.
  const [, , groupOf] = (await read('stat')).split(') ').at(-1)?.split(' ') ?? []
  if (Number(groupOf) !== group) return 0
  const [, resident = 0, shared = 0] = (await read('statm')).split(' ').map(Number)
  return Math.max(0, resident - shared) * PAGE_BYTES
}
