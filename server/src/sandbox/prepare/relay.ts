// The program inside the sandbox that package managers use as their proxy. It only passes bytes to the socket of our
// proxy, which decides. A command that changes or replaces it gains nothing.
import { RELAY_PORT } from './tools/tool.ts'

export const RELAY_FOLDER = '/opt/registry'

/**
 * Some tools never use a proxy for loopback addresses. For registries there, the relay listens on the same port and
 * asks the proxy for a tunnel.
 */
export const RELAY_SOURCE = `
const net = require('node:net')
const fs = require('node:fs')
const [ready, proxyPort, ...loopback] = process.argv.slice(2)
const join = (socket, upstream) => {
  for (const [from, to] of [[socket, upstream], [upstream, socket]]) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.end(() => to.destroy()))
    from.pipe(to)
  }
}
const open = () => net.connect('${RELAY_FOLDER}/proxy.sock')
const listen = (server, host, port) => new Promise((resolve) => {
  server.once('error', resolve)
  server.listen(Number(port), host, resolve)
})
const tunnel = (address) => (socket) => {
  const upstream = open()
  upstream.write('CONNECT ' + address + ' HTTP/1.1\\r\\nHost: ' + address + '\\r\\n\\r\\n')
  let head = ''
  const read = (chunk) => {
    head += chunk.toString('latin1')
    const end = head.indexOf('\\r\\n\\r\\n')
    if (end < 0 && head.length < 4096) return
    upstream.off('data', read)
    if (!/^HTTP\\/1\\.1 200/.test(head)) {
      socket.destroy()
      upstream.destroy()
      return
    }
    upstream.pause()
    upstream.unshift(Buffer.from(head.slice(end + 4), 'latin1'))
    join(socket, upstream)
  }
  socket.on('error', () => upstream.destroy())
  upstream.on('error', () => socket.destroy())
  upstream.on('close', () => socket.end(() => socket.destroy()))
  upstream.on('data', read)
}
const servers = [listen(net.createServer((socket) => join(socket, open())), '127.0.0.1', proxyPort)]
for (const address of loopback) {
  const at = address.lastIndexOf(':')
  const host = address.slice(0, at).replace(/^\\[|\\]$/g, '')
  servers.push(listen(net.createServer(tunnel(address)), host, address.slice(at + 1)))
}
Promise.all(servers).then(() => fs.writeFileSync(ready, ''))
`

const READY = '/tmp/.relay'

/** Starts the relay and waits for it, before the command. */
export const relayScript = (loopback: readonly string[]): string => `
node ${RELAY_FOLDER}/relay.cjs ${[READY, RELAY_PORT, ...loopback].join(' ')} </dev/null >/dev/null 2>&1 &
i=0; until [ -e ${READY} ]; do i=$((i + 1)); [ $i -lt 600 ] || exit 125; sleep 0.05; done
`
