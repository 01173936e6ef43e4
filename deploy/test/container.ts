// Builds the image with buildah and runs it with runc, without a registry: the base image is made of Debian packages and the pinned
// Node.js. Needs root, because the base is unpacked with its owners.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary } from '../../scripts/install.mjs'
import { readDockerfile } from './dockerfile.ts'
import type { RunnableImage } from './image-checks.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOOLS = ['buildah', 'runc', 'mmdebstrap']
const USER = 1000
/** Of the user that runs the steps before USER. */
const BUILDER_HOME = '/root'
const IMAGE = 'localhost/cowrie'

/** The missing tools and rights that the build and the container need. */
export function missingTools(): string[] {
  const tools = TOOLS.filter((tool) => spawnSync(tool, ['--version']).status !== 0)
  return process.getuid?.() === 0 ? tools : [...tools, 'root']
}

type ImageConfig = {
  readonly Env: readonly string[]
  readonly Cmd: readonly string[]
  readonly User: string
  readonly WorkingDir: string
  readonly Volumes: Record<string, unknown>
  readonly Healthcheck: { readonly Test: readonly string[] }
}

export function buildAndRun(folder: string): { image: RunnableImage; close(): void } {
  importBase(folder)
  const options = ['--isolation', 'chroot', '--network', 'host', '--format', 'docker', '--pull-never']
  buildah(folder, 'build', ...options, ...npmVolumes(folder), '--tag', IMAGE, ROOT)
  return runBuilt(folder)
}

/** The image that was built in this folder. */
function runBuilt(folder: string): { image: RunnableImage; close(): void } {
  const container = buildah(folder, 'from', '--pull-never', IMAGE)
  const root = buildah(folder, 'mount', container)
  const { Docker } = JSON.parse(buildah(folder, 'inspect', '--type', 'image', IMAGE)) as {
    Docker: { config: ImageConfig }
  }
  const { config } = Docker
  const volume = join(folder, 'volume')
  mkdirSync(volume, { recursive: true })
  chownSync(volume, USER, USER)
  return {
    image: {
      home: join(root, config.WorkingDir),
      command: config.Cmd,
      healthcheck: config.Healthcheck.Test.slice(1),
      start(words, variables, inside = '.') {
        const id = `cowrie-${randomBytes(6).toString('hex')}`
        const bundle = join(folder, id)
        mkdirSync(bundle)
        const env = [...config.Env, ...Object.entries(variables).map(([name, value]) => `${name}=${value}`)]
        const process = { args: words, env, cwd: join(config.WorkingDir, inside) }
        writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification(root, volume, process)))
        return spawn('runc', ['--root', join(folder, 'runc'), 'run', '--bundle', bundle, id], {
          stdio: 'pipe',
        })
      },
    },
    close() {
      buildah(folder, 'umount', container)
      buildah(folder, 'rm', container)
    },
  }
}

/** buildah leaves its storage mounted, also after a failed build, and a mounted folder cannot be deleted. */
export const unmountStorage = (folder: string): void =>
  void spawnSync('umount', ['--recursive', join(folder, 'storage/overlay')], { stdio: 'ignore' })

/** Images and containers stay in this folder. */
const buildah = (folder: string, ...words: string[]): string =>
  run('buildah', ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), ...words])

/** The base image that the Dockerfile names: Debian, Node.js, npm and the user `node`. */
function importBase(folder: string): void {
  const base = join(folder, 'base')
  run('mmdebstrap', ['--variant=minbase', '--mode=root', 'bookworm', base])
  copyFileSync(nodeBinary(), join(base, 'usr/local/bin/node'))
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']))))
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true })
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr/local/bin/npm'))
  run('chroot', [base, 'groupadd', '--gid', String(USER), 'node'])
  const user = ['--uid', String(USER), '--gid', 'node', '--create-home', '--shell', '/bin/bash', 'node']
  run('chroot', [base, 'useradd', ...user])
  const [{ from } = { from: '' }] = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))
  const container = buildah(folder, 'from', 'scratch')
  buildah(folder, 'add', '--quiet', container, base, '/')
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  buildah(folder, 'config', '--env', `PATH=${path}`, '--cmd', 'node', container)
  buildah(folder, 'commit', '--quiet', '--rm', container, `docker.io/library/${from}`)
}

/** npm in the build shares the cache of this machine and trusts the same certificates. Nothing of it stays in the image. */
function npmVolumes(folder: string): string[] {
  const cache = join(homedir(), '.npm')
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const volumes: [string, string][] = existsSync(cache) ? [[cache, `${BUILDER_HOME}/.npm`]] : []
  if (certificates && existsSync(certificates)) {
    const settings = join(folder, 'npmrc')
    writeFileSync(settings, 'cafile=/run/certificates.pem\n')
    volumes.push([certificates, '/run/certificates.pem:ro'], [settings, `${BUILDER_HOME}/.npmrc:ro`])
  }
  return volumes.flatMap(([from, to]) => ['--volume', `${from}:${to}`])
}

/** As in compose.yaml and the manifests: an unprivileged user without capabilities, and a root that is read-only. */
const specification = (
  root: string,
  volume: string,
  process: { args: readonly string[]; env: readonly string[]; cwd: string },
) => ({
  ociVersion: '1.0.2',
  process: { ...process, user: { uid: USER, gid: USER }, capabilities: {}, noNewPrivileges: true },
  root: { path: root, readonly: true },
  mounts: [
    { destination: '/proc', type: 'proc', source: 'proc' },
    { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=64k'] },
    { destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'nodev', 'mode=1777'] },
    { destination: '/data', type: 'bind', source: volume, options: ['bind', 'rw'] },
  ],
  // The network of this machine, where the database is.
  linux: { namespaces: ['pid', 'mount', 'ipc', 'uts'].map((type) => ({ type })) },
})

function run(program: string, words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0)
    throw new Error(`${program} ${words.join(' ')} failed:\n${`${stdout}${stderr}`.slice(-4_000)}`)
  return stdout.trim()
}
