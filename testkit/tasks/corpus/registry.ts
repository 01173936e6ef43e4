// A registry on loopback with the packages of the corpus: npm at its root, and an index of Python wheels below /simple.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { integrityOf, NPM_PACKAGES, npmPackage, tarballOf } from './npm-packages.ts'
import { PYTHON_PACKAGES, pythonPackage, wheelName, wheelOf } from './python-packages.ts'

export type CorpusRegistry = {
  /** For SERVICE_SANDBOX_REGISTRIES. */
  readonly setting: string
  /** The paths of all requests. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

type RegistryReply = { readonly type: string; readonly body: string | Buffer }

export async function startCorpusRegistry(): Promise<CorpusRegistry> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url?.split('?')[0] ?? '/')
    requests.push(path)
    const reply = npmReply(path, originOf()) ?? pythonReply(path)
    response.writeHead(reply ? 200 : 404, { 'content-type': reply?.type ?? 'text/plain' })
    response.end(reply?.body ?? 'no such package')
  })
  const originOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    setting: `npm=${originOf()},pip=${originOf()}/simple`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function npmReply(path: string, origin: string): RegistryReply | null {
  const [name = '', file] = path.slice(1).split('/-/')
  if (!(name in NPM_PACKAGES)) return null
  if (file !== undefined) return { type: 'application/octet-stream', body: tarballOf(name) }
  const { version, dependencies } = npmPackage(name)
  const tarball = `${origin}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
  const shasum = createHash('sha1').update(tarballOf(name)).digest('hex')
  const dist = { tarball, shasum, integrity: integrityOf(name) }
  const versions = { [version]: { name, version, dependencies, dist } }
  return {
    type: 'application/json',
    body: JSON.stringify({ name, 'dist-tags': { latest: version }, versions }),
  }
}

function pythonReply(path: string): RegistryReply | null {
  const [, kind, name = ''] = /^\/(simple|wheels)\/([^/]+)\/?$/.exec(path) ?? []
  if (kind === 'simple' && name in PYTHON_PACKAGES) {
    const file = wheelName(pythonPackage(name))
    const hash = createHash('sha256').update(wheelOf(name)).digest('hex')
    return {
      type: 'text/html',
      body: `<!DOCTYPE html><html><body><a href="/wheels/${file}#sha256=${hash}">${file}</a></body></html>`,
    }
  }
  const wheel = Object.values(PYTHON_PACKAGES).find((each) => kind === 'wheels' && wheelName(each) === name)
  return wheel ? { type: 'application/zip', body: wheelOf(wheel.name) } : null
}
