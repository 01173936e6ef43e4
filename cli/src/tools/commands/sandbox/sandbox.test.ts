// The sandbox of commands on Linux: what a hostile command can reach. As the user who runs the tests, and as one without rights.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkFolder, type WorkFolder } from '../../../../test/work-folder.ts'
import { startProcess } from '../run-process.ts'
import { countsPerSandbox, openSandbox, type Sandbox } from './sandbox.ts'

const KEY = 'csk_live_not_for_commands'

let folder: WorkFolder
let home: string
let sandbox: Sandbox
let server: Server
let port: number

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
  port = (server.address() as { port: number }).port
})
afterAll(async () => {
  await sandbox.close()
  server.close()
  folder.remove()
})

async function run(
  command: string,
  {
    isOnline = false,
    timeoutMs = 20_000,
    signal,
  }: { isOnline?: boolean; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const running = startProcess(await sandbox.launch(command, { isOnline }), {
    timeoutMs,
    ...(signal && { signal }),
  })
  const result = await running.ended
  expect(result.reason).toBe(null)
  return { ...result, text: running.output.text() }
}

/** Processes of this computer with this text in their command line. */
const processesWith = (mark: string): string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(name) !== process.pid &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(mark)
      )
    } catch {
      return false
    }
  })

if (!hasSandbox)
  test('the sandbox of commands cannot be tested here', () => {
    reportNotRun('cli/src/tools/commands/sandbox')
  })
else
  describe('a command', () => {
    test('works on the files of the repository and sees the tools of the user', async () => {
      expect(await sandbox.status()).toEqual({ kind: 'bubblewrap', doubt: null })
      const { text, exitCode } = await run(
        'cat a.txt; echo b > b.txt; cat ~/.nvm/versions/tool; git status --short; node -p 1+1; echo e >&2; exit 3',
      )
      expect(text).toBe('a\ntool?? b.txt\n2\ne\n')
      expect(exitCode).toBe(3)
      expect(folder.read('b.txt')).toBe('b\n')
    })

    test('finds no key: not in the home folder, in variables or in processes', async () => {
      const { text } = await run(
        'ls -A ~; cat ~/.ssh/id_rsa ~/.aws/credentials ~/.config/cowrie/credentials.json ~/.config/gh/hosts.yml ~/.netrc ~/.npmrc ~/.bash_history ~/.cargo/credentials.toml; env; cat /proc/*/environ; cat /proc/*/cmdline; grep -rs csk_live ~ /tmp /run /var',
      )
      expect(text).not.toContain(KEY)
      expect(text).not.toContain('.bash_history\n.c')
      expect(text).not.toMatch(/SSH_AUTH_SOCK|GITHUB_TOKEN/)
      expect(text).toContain('NODE_ENV=test')
    })

    test.for<[string, string, () => string]>([
      [
        'a file of the home folder',
        'echo x > ~/.ssh/authorized_keys',
        () => join(home, '.ssh/authorized_keys'),
      ],
      ['settings of the shell', 'echo x > ~/.bashrc', () => join(home, '.bashrc')],
      ['a tool of the user', 'echo x > ~/.nvm/versions/new', () => join(home, '.nvm/versions/new')],
      [
        'the system',
        'echo x > /usr/bin/cowrie-escape; echo x > /etc/cowrie-escape',
        () => '/etc/cowrie-escape',
      ],
      ['the folder above', 'echo x > ../escape', () => join(home, 'escape')],
      [
        'a file behind a link',
        'ln -s ../.ssh out; echo x > out/by-link; ln -s /etc up; echo x > up/by-link',
        () => join(home, '.ssh/by-link'),
      ],
      ['a hook of git', 'echo x > .git/hooks/pre-commit', () => join(folder.root, '.git/hooks/pre-commit')],
      [
        'a hook of git by another name',
        'mv .git/hooks .git/old; mkdir .git/hooks; echo x > .git/hooks/pre-commit',
        () => join(folder.root, '.git/hooks/pre-commit'),
      ],
      [
        'a hook in another git folder',
        'mv .git gone; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
        () => join(folder.root, '.git/hooks/pre-commit'),
      ],
      [
        'our undo records',
        'mkdir -p .git/cowrie/undo; echo x > .git/cowrie/undo/1',
        () => join(folder.root, '.git/cowrie/undo/1'),
      ],
      [
        'a file of the processes',
        'echo x > /proc/1/root/etc/by-proc; echo x > /proc/self/root/etc/by-proc',
        () => '/etc/by-proc',
      ],
    ])('cannot write %s', async ([, command, path]) => {
      await run(command)
      expect(existsSync(path())).toBe(false)
    })

    test('cannot change what git executes', async () => {
      const before = folder.read('.git/config')
      const { text } = await run(
        'git config core.fsmonitor evil; git config --local alias.st "!evil"; echo "[core]" >> .git/config; printf x > new; mv new .git/config; rm -f .git/config; rmdir .git',
      )
      expect(text).toMatch(/busy|Read-only/)
      expect(folder.read('.git/config')).toBe(before)
    })

    test('cannot give git another folder for its settings, and nothing is left in the git folder', async () => {
      const ran = join(home, 'ran-outside')
      await run(
        `mkdir -p evil; cp -r .git/objects .git/refs evil/; printf '[core]\\n fsmonitor = "touch ${ran}; false"\\n' > evil/config; echo ../evil > .git/commondir; rm -f .git/commondir; echo ../evil > n; mv n .git/commondir`,
      )
      folder.git('status', '--short')
      expect(existsSync(ran)).toBe(false)
      await sandbox.close()
      expect(existsSync(join(folder.root, '.git/commondir'))).toBe(false)
    })

    test('can commit', async () => {
      const repository = makeWorkFolder({ 'a.txt': 'a\n' })
      const own = open(repository.root, {
        home: join(repository.root, '..'),
        folder: join(repository.root, '../sandbox'),
      })
      const launch = await own.launch(
        'echo b > a.txt && git -c user.name=A -c user.email=a@example.com commit -qam second && git log --oneline | wc -l',
        { isOnline: false },
      )
      const running = startProcess(launch, { timeoutMs: 20_000 })
      await running.ended
      expect(running.output.text().trim()).toBe('2')
      await own.close()
      repository.remove()
    })

    test('works in a worktree, and a file cannot name any folder as its git folder', async () => {
      folder.git('worktree', 'add', '-q', '../tree')
      const tree = join(home, 'tree')
      const own = open(tree)
      const inTree = async (command: string): Promise<string> => {
        const running = startProcess(await own.launch(command, { isOnline: false }), { timeoutMs: 20_000 })
        await running.ended
        return running.output.text()
      }
      expect(
        await inTree('git status --short; echo done; echo x > ../work/.git/hooks/by-tree; echo x > .git'),
      ).toContain('done\n')
      expect(existsSync(join(folder.root, '.git/hooks/by-tree'))).toBe(false)
      writeFileSync(join(tree, '.git'), `gitdir: ${join(home, '.ssh')}\n`)
      expect(await inTree('cat ../.ssh/id_rsa; ls -A ..')).not.toMatch(new RegExp(`${KEY}|\\.ssh\\n`))
      await own.close()
      rmSync(tree, { recursive: true })
    })

    test('has no network: not the internet, not this computer, not sockets of services', async () => {
      const probe = `const net = require('node:net')
        const tries = [{ host: '127.0.0.1', port: ${port} }, { host: '169.254.169.254', port: 80 }, { host: '1.1.1.1', port: 443 }, { path: '/run/docker.sock' }, { path: '/var/run/docker.sock' }]
        Promise.all(tries.map((to) => new Promise((resolve) => { const socket = net.connect(to, () => resolve('reached')); socket.on('error', () => resolve('held')); socket.setTimeout(2000, () => resolve('held')) }))).then((all) => { console.log(all.join(' ')); process.exit() })`
      writeFileSync(join(folder.root, 'probe.cjs'), probe)
      expect((await run('node probe.cjs')).text).toBe('held held held held held\n')
      expect((await run('node probe.cjs', { isOnline: true })).text).toMatch(/^reached /)
    })

    test('reaches a server that another command of the session started', async () => {
      const serve = startProcess(
        await sandbox.launch(
          `node -e "require('http').createServer((q, s) => s.end('hello')).listen(18231, () => console.log('ready'))"`,
          { isOnline: false },
        ),
        { timeoutMs: 30_000 },
      )
      await expect.poll(() => serve.output.text()).toContain('ready')
      expect(
        (await run(`node -e "fetch('http://127.0.0.1:18231').then((r) => r.text()).then(console.log)"`)).text,
      ).toBe('hello\n')
      serve.stop()
      await serve.ended
    })

    test('cannot see or kill processes outside, and has no terminal to type into', async () => {
      const { text } = await run(
        `kill -9 ${process.pid} ${process.ppid}; kill -0 ${process.pid} && echo alive; ls /proc | grep -c '^[0-9]'; (echo x > /dev/tty) 2>&1; perl -e 'open(T, "<", "/dev/tty") or print "none "; for (0..2) { print ioctl(STDIN, 0x5412, my $x = "x") ? "typed" : "held" }'`,
      )
      expect(text).not.toContain('alive')
      expect(text).toContain('none heldheldheld')
      expect(Number(/^(\d+)$/m.exec(text)?.[1])).toBeLessThan(12)
    })

    test('has no rights of root, cannot mount and cannot make namespaces', async () => {
      const { text } = await run(
        'grep -E "Cap(Eff|Bnd|Prm)|NoNewPrivs" /proc/self/status; unshare -r true && echo nested; mount -t tmpfs x /tmp && echo mounted; cat /etc/shadow && echo shadow; bwrap --ro-bind / / true && echo wrapped',
      )
      expect(text.match(/0000000000000000/g)).toHaveLength(3)
      expect(text).toContain('NoNewPrivs:\t1')
      expect(text).not.toMatch(/nested|mounted|^shadow|wrapped/m)
    })

    test('passes no open file of this program on', async () => {
      const { text } = await run('ls -l /proc/self/fd /proc/1/fd')
      expect(text).not.toContain(KEY)
      expect(
        text
          .split('\n')
          .filter(
            (line) => line.includes(' -> ') && !/pipe:|socket:|\/dev\/null|\/proc\/|anon_inode/.test(line),
          ),
      ).toEqual([])
    })

    test('that never ends is stopped with all its processes', async () => {
      const mark = `31415926${process.pid}`
      const { outcome, durationMs } = await run(
        `sleep ${mark} & setsid sleep ${mark} & nohup sleep ${mark} & sleep ${mark}`,
        { timeoutMs: 500 },
      )
      expect(outcome).toBe('timed_out')
      expect(durationMs).toBeLessThan(5_000)
      await expect.poll(() => processesWith(mark)).toEqual([])
    })

    test('leaves no process behind when it ends', async () => {
      const mark = `27182818${process.pid}`
      const { outcome, text } = await run(`setsid sleep ${mark} & echo done`)
      expect([outcome, text]).toEqual(['exited', 'done\n'])
      await expect.poll(() => processesWith(mark)).toEqual([])
    })

    test('is stopped by the user at once', async () => {
      const stop = new AbortController()
      const ended = run('sleep 60', { signal: stop.signal })
      stop.abort()
      expect((await ended).outcome).toBe('stopped')
    })

    test('cannot start endlessly many processes', async () => {
      const own = open(folder.root, { processesMax: 150 })
      const launch = await own.launch('b() { b | b & }; b; sleep 20', { isOnline: false })
      const running = startProcess(launch, { timeoutMs: 1_500 })
      expect((await running.ended).outcome).toBe('timed_out')
      expect(running.output.text()).toContain('fork: ')
      // The computer still starts programs, and nothing is left.
      expect(spawnSync('/bin/true').status).toBe(0)
      await expect.poll(() => (process.getuid?.() === 0 ? leftGroups() : [])).toEqual([])
      await own.close()
    })

    test('that prints without end is stopped, and its beginning and end are kept', async () => {
      const { outcome, text } = await run(
        'echo first; yes 0123456789012345678901234567890123456789 | head -c 80000000',
      )
      expect(outcome).toBe('flooded')
      expect(text.slice(0, 6)).toBe('first\n')
      expect(text).toMatch(/… \d+ bytes left out …/)
      expect(text.length).toBeLessThan(600_000)
    })

    test('ends with this program, even if it is killed', async () => {
      const mark = `16180339${process.pid}`
      const script = `import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))}
        import { startProcess } from ${JSON.stringify(join(import.meta.dirname, '../run-process.ts'))}
        const sandbox = openSandbox(${JSON.stringify({ root: folder.root, env: { PATH: process.env.PATH }, home, platform: 'linux', folder: join(home, 'own'), hidden: [] })})
        startProcess(await sandbox.launch('echo up; sleep ${mark}', { isOnline: false }), { timeoutMs: null, onOutput: (text) => process.stdout.write(text) })`
      const child = spawn(
        process.execPath,
        ['--input-type=module', '-e', script.replace('"hidden":[]', '"hidden":[],"isSecret":() => false')],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      await new Promise((resolve) => child.stdout.once('data', resolve))
      expect(processesWith(mark).length).toBeGreaterThan(0)
      child.kill('SIGKILL')
      await expect.poll(() => processesWith(`sleep\0${mark}`)).toEqual([])
    })

    test('is confined in the same way for a user without rights', async () => {
      if (process.getuid?.() !== 0) return
      const place = makeWorkFolder({ 'a.txt': 'a\n' })
      const own = join(place.root, '..')
      mkdirSync(join(own, '.ssh'))
      writeFileSync(join(own, '.ssh/id_rsa'), KEY)
      execFileSync('chown', ['-R', '65534:65534', own])
      const script = `import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))}
        import { startProcess } from ${JSON.stringify(join(import.meta.dirname, '../run-process.ts'))}
        const sandbox = openSandbox({ ...${JSON.stringify({ root: place.root, env: { PATH: '/usr/bin:/bin' }, home: own, platform: 'linux', folder: join(own, 'own'), hidden: [], processesMax: 150 })}, isSecret: () => false })
        console.log((await sandbox.status()).kind)
        for (const command of ['id -u; cat a.txt; echo b > b.txt; cat ~/.ssh/id_rsa; mv .git x; echo x > .git/hooks/y; (echo > /dev/tcp/127.0.0.1/${port}) && echo reached', 'b() { b | b & }; b 2>&1; sleep 20']) {
          const running = startProcess(await sandbox.launch(command, { isOnline: false }), { timeoutMs: command.startsWith('b') ? 1500 : 60000 })
          await running.ended
          process.stdout.write(running.output.text().slice(0, 2000))
        }`
      const { stdout, stderr } = spawnSync(
        'setpriv',
        [
          '--reuid=65534',
          '--regid=65534',
          '--clear-groups',
          process.execPath,
          '--input-type=module',
          '-e',
          script,
        ],
        { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' }, cwd: '/' },
      )
      expect(stderr).toBe('')
      expect(stdout.slice(0, 'bubblewrap\n65534\na\n'.length)).toBe('bubblewrap\n65534\na\n')
      expect(stdout).not.toMatch(new RegExp(`${KEY}|^reached`, 'm'))
      expect(stdout).toContain('fork: ')
      expect(existsSync(join(place.root, 'b.txt'))).toBe(true)
      expect(existsSync(join(place.root, '.git/hooks/y'))).toBe(false)
      place.remove()
    })
  })

function leftGroups(): string[] {
  return ['/sys/fs/cgroup/pids', '/sys/fs/cgroup'].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).filter((name) => name.startsWith(`cowrie-${process.pid}-`)) : [],
  )
}

describe('without a sandbox', () => {
  test.for([
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ] as const)('the reason is named on %s', async ([platform, word]) => {
    const status = await open(folder.root, { platform }).status()
    expect(status).toMatchObject({ kind: 'none', doubt: expect.stringContaining(word) })
  })

  test('because the folder contains the home folder', async () => {
    expect(await open(home).status()).toEqual({ kind: 'none', doubt: 'the folder contains your home folder' })
  })

  test('keys are still not in the environment, and links are compared by their targets', async () => {
    symlinkSync(home, join(folder.root, 'link-home'))
    const own = open(folder.root, { platform: 'win32' })
    const running = startProcess(await own.launch('env', { isOnline: true }), { timeoutMs: 10_000 })
    await running.ended
    expect(running.output.text()).not.toContain(KEY)
  })
})

test('an old kernel, which counts all processes of the user, gets no limit', () => {
  expect(
    ['4.18.0-553.el8', '5.4.0-1', '5.13.9', '5.14.0', '5.15.0-91-generic', '6.1.0'].map(countsPerSandbox),
  ).toEqual([false, false, false, true, true, true])
})
