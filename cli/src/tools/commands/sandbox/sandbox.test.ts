// The sandbox of commands on Linux: what a hostile command can reach. As the user who runs the tests, and as one without rights.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasSandbox, reportNotRun } from '@cowrie/testkit/sandbox/host-support.ts'
import { describe, expect, test } from 'vitest'
import { KEY, useSandboxPlace } from '../../../../test/sandbox-place.ts'
import { makeWorkFolder } from '../../../../test/work-folder.ts'
import { startProcess } from '../run-process.ts'
import { countsPerSandbox } from './sandbox.ts'

const place = useSandboxPlace()
const { open, run } = place

if (!hasSandbox)
  test('the sandbox of commands cannot be tested here', () => {
    reportNotRun('cli/src/tools/commands/sandbox')
  })
else
  describe('a command', () => {
    test('works on the files of the repository and sees the tools of the user', async () => {
      expect(await place.sandbox.status()).toEqual({ kind: 'bubblewrap', doubt: null })
      const { text, exitCode } = await run(
        'cat a.txt; echo b > b.txt; cat ~/.nvm/versions/tool; git status --short; node -p 1+1; echo e >&2; exit 3',
      )
      expect(text).toBe('a\ntool?? b.txt\n2\ne\n')
      expect(exitCode).toBe(3)
      expect(place.folder.read('b.txt')).toBe('b\n')
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
        () => join(place.home, '.ssh/authorized_keys'),
      ],
      ['settings of the shell', 'echo x > ~/.bashrc', () => join(place.home, '.bashrc')],
      ['a tool of the user', 'echo x > ~/.nvm/versions/new', () => join(place.home, '.nvm/versions/new')],
      [
        'the system',
        'echo x > /usr/bin/cowrie-escape; echo x > /etc/cowrie-escape',
        () => '/etc/cowrie-escape',
      ],
      ['the folder above', 'echo x > ../escape', () => join(place.home, 'escape')],
      [
        'a file behind a link',
        'ln -s ../.ssh out; echo x > out/by-link; ln -s /etc up; echo x > up/by-link',
        () => join(place.home, '.ssh/by-link'),
      ],
      [
        'a hook of git',
        'echo x > .git/hooks/pre-commit',
        () => join(place.folder.root, '.git/hooks/pre-commit'),
      ],
      [
        'a hook of git by another name',
        'mv .git/hooks .git/old; mkdir .git/hooks; echo x > .git/hooks/pre-commit',
        () => join(place.folder.root, '.git/hooks/pre-commit'),
      ],
      [
        'a hook in another git folder',
        'mv .git gone; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit',
        () => join(place.folder.root, '.git/hooks/pre-commit'),
      ],
      [
        'our undo records',
        'mkdir -p .git/cowrie/undo; echo x > .git/cowrie/undo/1',
        () => join(place.folder.root, '.git/cowrie/undo/1'),
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
      const before = place.folder.read('.git/config')
      const { text } = await run(
        'git config core.fsmonitor evil; git config --local alias.st "!evil"; echo "[core]" >> .git/config; printf x > new; mv new .git/config; rm -f .git/config; rmdir .git',
      )
      expect(text).toMatch(/busy|Read-only/)
      expect(place.folder.read('.git/config')).toBe(before)
    })

    test('cannot give git another folder for its settings, and nothing is left in the git folder', async () => {
      const ran = join(place.home, 'ran-outside')
      await run(
        `mkdir -p evil; cp -r .git/objects .git/refs evil/; printf '[core]\\n fsmonitor = "touch ${ran}; false"\\n' > evil/config; echo ../evil > .git/commondir; rm -f .git/commondir; echo ../evil > n; mv n .git/commondir`,
      )
      place.folder.git('status', '--short')
      expect(existsSync(ran)).toBe(false)
      await place.sandbox.close()
      expect(existsSync(join(place.folder.root, '.git/commondir'))).toBe(false)
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
      place.folder.git('worktree', 'add', '-q', '../tree')
      const tree = join(place.home, 'tree')
      const own = open(tree)
      const inTree = async (command: string): Promise<string> => {
        const running = startProcess(await own.launch(command, { isOnline: false }), { timeoutMs: 20_000 })
        await running.ended
        return running.output.text()
      }
      expect(
        await inTree('git status --short; echo done; echo x > ../work/.git/hooks/by-tree; echo x > .git'),
      ).toContain('done\n')
      expect(existsSync(join(place.folder.root, '.git/hooks/by-tree'))).toBe(false)
      writeFileSync(join(tree, '.git'), `gitdir: ${join(place.home, '.ssh')}\n`)
      expect(await inTree('cat ../.ssh/id_rsa; ls -A ..')).not.toMatch(new RegExp(`${KEY}|\\.ssh\\n`))
      await own.close()
      rmSync(tree, { recursive: true })
    })

    test('has no network: not the internet, not this computer, not sockets of services', async () => {
      const probe = `const net = require('node:net')
        const tries = [{ host: '127.0.0.1', port: ${place.port} }, { host: '169.254.169.254', port: 80 }, { host: '1.1.1.1', port: 443 }, { path: '/run/docker.sock' }, { path: '/var/run/docker.sock' }]
        Promise.all(tries.map((to) => new Promise((resolve) => { const socket = net.connect(to, () => resolve('reached')); socket.on('error', () => resolve('held')); socket.setTimeout(2000, () => resolve('held')) }))).then((all) => { console.log(all.join(' ')); process.exit() })`
      writeFileSync(join(place.folder.root, 'probe.cjs'), probe)
      expect((await run('node probe.cjs')).text).toBe('held held held held held\n')
      expect((await run('node probe.cjs', { isOnline: true })).text).toMatch(/^reached /)
    })

    test('reaches a server that another command of the session started', async () => {
      const serve = startProcess(
        await place.sandbox.launch(
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

    test('is confined in the same way for a user without rights', async () => {
      if (process.getuid?.() !== 0) return
      const theirs = makeWorkFolder({ 'a.txt': 'a\n' })
      const own = join(theirs.root, '..')
      mkdirSync(join(own, '.ssh'))
      writeFileSync(join(own, '.ssh/id_rsa'), KEY)
      execFileSync('chown', ['-R', '65534:65534', own])
      const script = `import { openSandbox } from ${JSON.stringify(join(import.meta.dirname, 'sandbox.ts'))}
        import { startProcess } from ${JSON.stringify(join(import.meta.dirname, '../run-process.ts'))}
        const sandbox = openSandbox({ ...${JSON.stringify({ root: theirs.root, env: { PATH: '/usr/bin:/bin' }, home: own, platform: 'linux', folder: join(own, 'own'), hidden: [], processesMax: 150 })}, isSecret: () => false })
        console.log((await sandbox.status()).kind)
        for (const command of ['id -u; cat a.txt; echo b > b.txt; cat ~/.ssh/id_rsa; mv .git x; echo x > .git/hooks/y; (echo > /dev/tcp/127.0.0.1/${place.port}) && echo reached', 'b() { b | b & }; b 2>&1; sleep 20']) {
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
      expect(existsSync(join(theirs.root, 'b.txt'))).toBe(true)
      expect(existsSync(join(theirs.root, '.git/hooks/y'))).toBe(false)
      theirs.remove()
    })
  })

describe('without a sandbox', () => {
  test.for([
    ['win32', 'Windows'],
    ['freebsd', 'freebsd'],
  ] as const)('the reason is named on %s', async ([platform, word]) => {
    const status = await open(place.folder.root, { platform }).status()
    expect(status).toMatchObject({ kind: 'none', doubt: expect.stringContaining(word) })
  })

  test('because the folder contains the home folder', async () => {
    expect(await open(place.home).status()).toEqual({
      kind: 'none',
      doubt: 'the folder contains your home folder',
    })
  })

  test('keys are still not in the environment, and links are compared by their targets', async () => {
    symlinkSync(place.home, join(place.folder.root, 'link-home'))
    const own = open(place.folder.root, { platform: 'win32' })
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
