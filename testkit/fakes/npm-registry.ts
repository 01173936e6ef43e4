// A fake npm registry: serves packages as tarballs and counts what is asked for.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { packFiles } from '@cowrie/server/src/sandbox/sandbox.ts'

/** The host that npm writes into lockfiles. */
export const PUBLIC_REGISTRY_HOST: string = ['registry', 'npmjs', 'org'].join('.')
export const PUBLIC_REGISTRY = `https://${PUBLIC_REGISTRY_HOST}`

export type FakeNpmPackage = {
  readonly name: string
  readonly version?: string
  /** Beside the package.json. */
  readonly files?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

export type FakeNpmRegistry = {
  readonly url: string
  readonly port: number
  /** The paths of all requests. */
  readonly requests: string[]
  /** Answers 503 to everything. */
  isBroken: boolean
  /** Lets requests wait until they are released. */
  hold(): void
  release(): void
  /** The manifest and the lockfile of a project that depends on all packages. */
  projectFiles(more?: Readonly<Record<string, unknown>>): Map<string, string>
  close(): Promise<void>
}

type Published = Required<FakeNpmPackage> & { readonly tarball: Buffer; readonly integrity: string }

export async function startFakeNpmRegistry(packages: readonly FakeNpmPackage[]): Promise<FakeNpmRegistry> {
  const published = new Map(packages.map((each) => [each.name, publish(each)]))
  const requests: string[] = []
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  const server = createServer(async (request, response) => {
    requests.push(request.url ?? '')
    await gate.promise
    if (registry.isBroken) response.writeHead(503).end()
    else answer(published, registry.url, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const registry: FakeNpmRegistry = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    isBroken: false,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release: () => gate.resolve(),
    projectFiles: (more = {}) => toProject([...published.values()], more),
    close: () => closeServer(server),
  }
  return registry
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

function publish({
  name,
  version = '1.0.0',
  files = {},
  scripts = {},
  dependencies = {},
}: FakeNpmPackage): Published {
  const manifest = JSON.stringify({ name, version, main: 'index.js', scripts, dependencies })
  const all = Object.entries({ 'package.json': manifest, ...files }).map(
    ([path, text]) => [`package/${path}`, text] as const,
  )
  const packed = packFiles(new Map(all))
  if ('refused' in packed) throw new Error(packed.refused)
  const tarball = gzipSync(packed.archive)
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  return { name, version, files, scripts, dependencies, tarball, integrity }
}

function answer(
  published: ReadonlyMap<string, Published>,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const [, name = '', separator] = decodeURIComponent(request.url ?? '').split('/')
  const found = published.get(name)
  if (found === undefined) response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  else if (separator === '-') response.end(found.tarball)
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(toPackument(found, url)))
}

function toPackument({ name, version, scripts, dependencies, integrity }: Published, url: string): object {
  const dist = { tarball: `${url}/${name}/-/${name}-${version}.tgz`, integrity }
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { name, version, scripts, dependencies, dist } },
  }
}

function toProject(all: readonly Published[], more: Readonly<Record<string, unknown>>): Map<string, string> {
  const dependencies = Object.fromEntries(all.map(({ name, version }) => [name, version]))
  const manifest = { name: 'project', version: '1.0.0', ...more, dependencies }
  const installed = all.map(({ name, version, integrity, scripts }) => [
    `node_modules/${name}`,
    {
      version,
      // npm replaces the host of the public registry by the configured one.
      resolved: `${PUBLIC_REGISTRY}/${name}/-/${name}-${version}.tgz`,
      integrity,
      ...(Object.keys(scripts).length > 0 && { hasInstallScript: true }),
    },
  ])
  const lockfile = {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(installed) },
  }
  return new Map([
    ['package.json', JSON.stringify(manifest)],
    ['package-lock.json', JSON.stringify(lockfile)],
  ])
}
