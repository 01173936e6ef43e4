// A program that tries to escape from its sandbox in many ways. For each it prints `held`, or what it got.
import { REFUSED_CALLS } from '@cowrie/server/src/sandbox/local/system-calls.ts'

export type HostileTargets = {
  /** A port of this host with a listener. */
  readonly port: number
  /** An abstract socket of this host. */
  readonly abstractSocket: string
  /** A process of this host. */
  readonly pid: number
  /** A world-readable file of this host. */
  readonly file: string
  /** Environment variables of the process that started the sandbox. */
  readonly variables: readonly string[]
}

/** The files of the program; `sh run.sh` starts it. */
export const hostileFiles = (targets: HostileTargets): Map<string, string> =>
  new Map([
    ['run.sh', 'node hostile.mjs\nperl calls.pl\n'],
    ['targets.json', JSON.stringify(targets)],
    ['hostile.mjs', HOSTILE],
    ['calls.pl', CALLS],
  ])

const column = process.arch === 'arm64' ? 0 : 1
const MORE_CALLS = {
  arm64: {
    mknodat: 33,
    setuid: 146,
    setgid: 144,
    setgroups: 159,
    setreuid: 145,
    capset: 91,
    socket: 198,
    clone: 220,
    fchownat: 54,
  },
  x64: {
    mknodat: 259,
    setuid: 105,
    setgid: 106,
    setgroups: 116,
    setreuid: 113,
    capset: 126,
    socket: 41,
    clone: 56,
    fchownat: 260,
  },
}[process.arch === 'arm64' ? 'arm64' : 'x64']

/** Calls the kernel directly. 1 is EPERM, 22 EINVAL, 97 EAFNOSUPPORT. */
const CALLS = `
use strict; $| = 1;
sub expect { my ($name, $errno, $number, @words) = @_; $! = 0;
  my $result = syscall($number, @words);
  print "$name: ", ($result == -1 && $! + 0 == $errno ? 'held' : "got $result, " . ($! + 0)), "\\n"; }
${Object.entries(REFUSED_CALLS)
  .filter(([, numbers]) => numbers[column] !== null)
  .map(([name, numbers]) => `expect('call ${name}', 1, ${numbers[column]}, 0, 0, 0, 0, 0);`)
  .join('\n')}
my $path = "/tmp/device"; my $project = "/project";
expect('a disk as a device', 1, ${MORE_CALLS.mknodat}, -100, $path, 0060666, 0xfe00);
expect('becoming root', 22, ${MORE_CALLS.setuid}, 0);
expect('becoming root by the real user', 22, ${MORE_CALLS.setreuid}, 0, 0);
expect('becoming the group of root', 22, ${MORE_CALLS.setgid}, 0);
expect('joining groups', 1, ${MORE_CALLS.setgroups}, 0, 0);
expect('giving files to root', 22, ${MORE_CALLS.fchownat}, -100, $project, 0, 0, 0);
expect('a socket to the host of the machine', 97, ${MORE_CALLS.socket}, 40, 1, 0);
expect('a socket for raw packets', 97, ${MORE_CALLS.socket}, 17, 3, 0);
expect('a socket for ciphers', 97, ${MORE_CALLS.socket}, 38, 5, 0);
expect('a raw socket', 1, ${MORE_CALLS.socket}, 2, 3, 1);
expect('a child in a new user namespace', 1, ${MORE_CALLS.clone}, 0x10000011, 0, 0, 0, 0);
expect('a child in a new network', 1, ${MORE_CALLS.clone}, 0x40000011, 0, 0, 0, 0);
`

const HOSTILE = `
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import dns from 'node:dns'
import net from 'node:net'
import os from 'node:os'
const { port, abstractSocket, pid, file, variables } = JSON.parse(fs.readFileSync('targets.json', 'utf8'))
const say = (name, isHeld, got = '') => console.log(name + ': ' + (isHeld ? 'held' : 'got ' + String(got).slice(0, 200)))
const refused = (name, work) => { try { say(name, false, JSON.stringify(work()) ?? 'through') } catch (error) { say(name, true) } }
const reaches = (name, options) => new Promise((resolve) => {
  const socket = net.connect(options)
  const end = (isHeld, got) => { say(name, isHeld, got); socket.destroy(); resolve() }
  socket.once('connect', () => end(false, 'a connection')); socket.once('error', () => end(true))
  socket.setTimeout(1000, () => end(false, 'no answer'))
})
const absent = (path) => refused('reading ' + path.split('/').slice(0, 3).join('/'), () => fs.readdirSync(path))

// The environment of the process that started the sandbox.
const environs = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((name) => { try { return fs.readFileSync('/proc/' + name + '/environ', 'utf8') } catch { return '' } }).join('\\0')
const names = new Set([...environs.split('\\0').map((line) => line.split('=')[0]), ...Object.keys(process.env)])
const leaked = variables.filter((name) => names.has(name))
say('variables of the host', leaked.length === 0, leaked)
// Open files.
const open = fs.readdirSync('/proc/' + process.ppid + '/fd').map((name) => { try { return fs.readlinkSync('/proc/' + process.ppid + '/fd/' + name) } catch { return '' } })
say('files of the host that are open', open.every((path) => /^$|^socket:|^pipe:|^\\/dev\\/null$|^\\/project\\/run.sh$/.test(path)), open)
say('files that the first process has open', fs.readdirSync('/proc/1/fd').every((name) => { try { return /^(socket|pipe|anon_inode):|^\\/dev\\/null$/.test(fs.readlinkSync('/proc/1/fd/' + name)) } catch { return true } }))
// The network.
await Promise.all([
  reaches('the metadata service', { host: '169.254.169.254', port: 80 }),
  reaches('a port of the host', { host: '127.0.0.1', port }),
  reaches('a port of the host, version 6', { host: '::1', port }),
  reaches('the local network', { host: '10.0.0.1', port: 80 }),
  reaches('the internet', { host: '1.1.1.1', port: 443 }),
  reaches('a socket of the host without a file', { path: '\\0' + abstractSocket }),
  reaches('the socket of an engine', { path: '/var/run/docker.sock' }),
])
say('names of hosts', await new Promise((resolve) => dns.lookup('example.com', (error) => resolve(error !== null))))
say('interfaces', Object.keys(os.networkInterfaces()).every((name) => name === 'lo'), Object.keys(os.networkInterfaces()))
// Files of the host.
for (const path of ['/root', '/home', '/var', '/run', '/sys', '/mnt', '/boot', '/srv', '/lost+found', '/oldroot', '/newroot']) absent(path)
refused('a file of the host', () => fs.readFileSync(file, 'utf8'))
refused('the passwords of the host', () => fs.readFileSync('/etc/shadow', 'utf8'))
say('the users of the host', fs.readFileSync('/etc/passwd', 'utf8').split('\\n').length === 2)
refused('the host by the root of the first process', () => fs.readFileSync('/proc/1/root/etc/shadow', 'utf8'))
refused('the host by its working folder', () => fs.readFileSync('/proc/1/cwd/' + file, 'utf8'))
refused('the command line of the kernel', () => fs.readFileSync('/proc/cmdline', 'utf8'))
refused('the memory of the kernel', () => fs.openSync('/proc/kcore', 'r'))
refused('the log of the kernel', () => fs.openSync('/proc/kmsg', 'r'))
refused('the memory of the first process', () => fs.openSync('/proc/1/mem', 'r+') && fs.readSync(fs.openSync('/proc/1/mem', 'r'), Buffer.alloc(8), 0, 8, 0))
fs.symlinkSync(file, 'link'); refused('a file of the host by a link', () => fs.readFileSync('link', 'utf8'))
fs.symlinkSync('../../../../../../etc/shadow', 'climb'); refused('a file of the host by climbing', () => fs.readFileSync('climb', 'utf8'))
refused('a second name for a file of the system', () => fs.linkSync('/usr/bin/env', '/project/env'))
for (const path of ['/x', '/usr/x', '/usr/bin/x', '/etc/x', '/dev/x', '/opt/x', '/opt/node/bin/x', '/proc/sys/kernel/hostname', '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/1/oom_score_adj'])
  refused('writing ' + path, () => fs.writeFileSync(path, 'x'))
refused('being the last that is killed', () => fs.writeFileSync('/proc/self/oom_score_adj', '-1000'))
refused('overwriting Node', () => fs.openSync('/opt/node/bin/node', 'r+'))
refused('changing the users', () => fs.writeFileSync('/etc/passwd', 'root::0:0::/:/bin/sh'))
const devices = fs.readdirSync('/dev').sort().join(' ')
say('devices', devices === 'core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero', devices)
// Processes of the host.
refused('a process of the host', () => process.kill(pid, 0))
say('the list of processes', fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length < 12)
refused('being more important', () => os.setPriority(0, -20))
// Programs that could help.
const fails = (name, program, ...words) => { const run = spawnSync(program, words, { encoding: 'utf8' }); say(name, run.status !== 0, run.stdout) }
fails('unshare', 'unshare', '-U', '-r', 'true')
fails('a new network', 'unshare', '-n', 'true')
fails('mount', 'mount', '-t', 'tmpfs', 'x', '/tmp')
fails('becoming root with su', 'su', '-c', 'true')
fails('a sandbox in the sandbox', 'bwrap', '--ro-bind', '/', '/', 'true')
fails('raising a limit', 'prlimit', '--nproc=100000', 'true')
fs.copyFileSync('/usr/bin/id', '/tmp/id'); fs.chmodSync('/tmp/id', 0o6755)
say('the user of a file', spawnSync('/tmp/id', ['-u'], { encoding: 'utf8' }).stdout.trim() === '1000')
// For the next run to find.
for (const path of ['/tmp/left', '/dev/shm/left', '/project/left']) fs.writeFileSync(path, 'left')
`
