// A repository in a home folder with keys, a server that commands must not reach, and the sandbox of commands.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { startProcess } from '../src/tools/commands/run-process.ts'
import { openSandbox, type Sandbox } from '../src/tools/commands/sandbox/sandbox.ts'
import { makeWorkFolder, type WorkFolder } from './work-folder.ts'

/** In the home folder and in variables. */
export const KEY = 'csk_live_not_for_commands'

type RunOptions = { isOnline?: boolean; timeoutMs?: number; signal?: AbortSignal }

export function useSandboxPlace() {
  let [folder, home, sandbox, server]: [WorkFolder, string, Sandbox, Server] = [] as never
  const open = (root: string, more: Partial<Parameters<typeof openSandbox>[0]> = {}): Sandbox =>
    openSandbox({
      root,
      env: {
        // Folders in PATH must not open the home folder.
        PATH: `${home}:${home}/.:${home}/.ssh/bin/..:${home}/.config/gh:${home}/.local:${process.env.PATH ?? ''}`,
        VIRTUAL_ENV: home,
        NODE_OPTIONS: `--require ${home}/missing.js`,
        HOME: home,
        COWRIE_API_KEY: KEY,
        GITHUB_TOKEN: KEY,
        SSH_AUTH_SOCK: '/run/agent',
        NODE_ENV: 'test',
      },
      home,
      platform: 'linux',
      folder: join(home, '.cache/cowrie/sandbox/x'),
      hidden: [],
      isSecret: (value) => value === KEY,
      ...more,
    })
  beforeAll(async () => {
    folder = makeWorkFolder({ 'a.txt': 'a\n' })
    home = join(folder.root, '..')
    for (const name of ['.ssh', '.aws', '.config/cowrie', '.config/gh', '.nvm/versions', '.cargo/bin'])
      mkdirSync(join(home, name), { recursive: true })
    for (const name of [
      '.ssh/id_rsa',
      '.aws/credentials',
      '.config/cowrie/credentials.json',
      '.config/gh/hosts.yml',
      '.netrc',
      '.npmrc',
      '.bash_history',
    ])
      writeFileSync(join(home, name), KEY)
    writeFileSync(join(home, '.nvm/versions/tool'), 'tool')
    writeFileSync(join(home, '.cargo/credentials.toml'), KEY)
    sandbox = open(folder.root)
    server = createServer((socket) => socket.on('error', () => undefined).end('reached'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    await sandbox.close()
    server.close()
    folder.remove()
  })
  return {
    get folder() {
      return folder
    },
    get home() {
      return home
    },
    get sandbox() {
      return sandbox
    },
    /** Of the server on this computer. */
    get port() {
      return (server.address() as { port: number }).port
    },
    open,
    async run(command: string, { isOnline = false, timeoutMs = 20_000, signal }: RunOptions = {}) {
      const running = startProcess(await sandbox.launch(command, { isOnline }), {
        timeoutMs,
        ...(signal && { signal }),
      })
      const result = await running.ended
      expect(result.reason).toBe(null)
      return { ...result, text: running.output.text() }
    },
  }
}
