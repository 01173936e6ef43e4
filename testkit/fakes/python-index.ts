// A fake package index for pip: a simple index with wheels.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'

export type FakePythonIndex = { readonly url: string; readonly requests: string[]; close(): Promise<void> }

/** Packages by name, each with the source of its only module. All have version 1.0.0. */
export async function startFakePythonIndex(
  packages: Readonly<Record<string, string>>,
): Promise<FakePythonIndex> {
  const wheels = new Map(Object.entries(packages).map(([name, source]) => [name, makeWheel(name, source)]))
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const [, folder, name = ''] = (request.url ?? '').split('/')
    const wheel = wheels.get(name)
    if (wheel === undefined) response.writeHead(404).end()
    else if (folder === 'files') response.end(wheel)
    else {
      const hash = createHash('sha256').update(wheel).digest('hex')
      const file = `${name}-1.0.0-py3-none-any.whl`
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<a href="/files/${name}/${file}#sha256=${hash}">${file}</a>`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function makeWheel(name: string, source: string): Buffer {
  const info = `${name}-1.0.0.dist-info`
  const files: [path: string, text: string][] = [
    [`${name}.py`, source],
    [`${info}/METADATA`, `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0.0\n`],
    [`${info}/WHEEL`, 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n'],
  ]
  const record = [...files.map(([path]) => `${path},,`), `${info}/RECORD,,`, ''].join('\n')
  return zip([...files, [`${info}/RECORD`, record]])
}

/** Without compression. */
function zip(files: readonly [path: string, text: string][]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of files) {
    const [name, body] = [Buffer.from(path), Buffer.from(text)]
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x21, 8)
    fields.writeUInt32LE(crc32(body), 10)
    fields.writeUInt32LE(body.length, 14)
    fields.writeUInt32LE(body.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, body])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(directory)
  const tail = Buffer.alloc(22)
  tail.write('PK\x05\x06', 0, 'latin1')
  tail.writeUInt16LE(files.length, 8)
  tail.writeUInt16LE(files.length, 10)
  tail.writeUInt32LE(entries.length, 12)
  tail.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, entries, tail])
}
