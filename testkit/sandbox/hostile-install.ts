// Programs that run as scripts of packages. Each prints `held` for every attempt, or what it got.

/** Files of the host that the scripts try to reach. */
export type InstallTargets = {
  /** A port of this host with a listener. */
  readonly neighbourPort: number
  /** The port of the registry. */
  readonly port: number
  /** Our data folder, and a secret file in it. */
  readonly dataDir: string
  readonly secret: string
}

/** Tries to reach other hosts, by itself and by the proxy. */
export const REACH_OUT = `
const fs = require('node:fs')
const net = require('node:net')
const { neighbourPort, port, dataDir, secret } = JSON.parse(fs.readFileSync('/project/package.json', 'utf8')).config
const lines = []
const say = (name, isHeld) => lines.push(name + ': ' + (isHeld ? 'held' : 'ESCAPED'))
const talk = (options, text) => new Promise((resolve) => {
  const socket = net.connect(options)
  let answer = ''
  socket.setTimeout(5000, () => socket.destroy())
  socket.on('data', (chunk) => { answer += chunk; socket.destroy() })
  socket.on('error', () => {})
  socket.on('close', () => resolve(answer))
  socket.on('connect', () => { answer += 'connected '; socket.write(text) })
})
const direct = async (name, host, to) => say(name, (await talk({ host, port: to }, 'x')) === '')
const proxy = { host: '127.0.0.1', port: 3128 }
const viaProxy = async (name, text, to = proxy) => say(name, /^connected (HTTP\\/1\\.1 403|$)/.test(await talk(to, text)))
const connect = (address) => 'CONNECT ' + address + ' HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n'
const write = (path) => { try { fs.writeFileSync(path, 'x'); say('writing ' + path, false) } catch { say('writing ' + path, true) } }
const main = async () => {
  await direct('a port of the host', '127.0.0.1', neighbourPort)
  await direct('a port of the host, version 6', '::1', neighbourPort)
  await direct('the metadata service', '169.254.169.254', 80)
  await direct('the internet', '1.1.1.1', 443)
  await viaProxy('the metadata service by the proxy', 'GET http://169.254.169.254/latest HTTP/1.1\\r\\nhost: x\\r\\n\\r\\n')
  await viaProxy('a port of the host by the proxy', connect('127.0.0.1:' + neighbourPort))
  await viaProxy('another name of the host by the proxy', connect('localhost:' + neighbourPort))
  await viaProxy('writing to the registry', 'POST http://127.0.0.1:' + port + '/x HTTP/1.1\\r\\nhost: x\\r\\ncontent-length: 0\\r\\n\\r\\n')
  await viaProxy('the socket of the proxy itself', connect('127.0.0.1:' + neighbourPort), { path: '/opt/registry/proxy.sock' })
  for (const path of ['/opt/registry/relay.cjs', '/opt/registry/x', '/usr/x', '/x']) write(path)
  say('folders of the host', ['/root', '/home', '/mnt/0', dataDir, secret].every((path) => !fs.existsSync(path)))
  say('the program of the project', fs.readFileSync('/project/program.js', 'utf8') === '')
  fs.writeFileSync('report.txt', lines.join('\\n'))
}
main()
`

/** A shell script that leaves traps for programs that read, measure, change or remove what it installed. */
export const plantTraps = ({ secret, dataDir }: InstallTargets): string => `
mkdir -p node_modules/trap packages/a packages/b deep
cd node_modules/trap
ln -s ${secret} file-link
ln -s ${dataDir} folder-link
ln -s /proc/1/root root-link
ln -s ../../../../../../../../../../../..${secret} climbing-link
ln ${secret} hard-link 2>/dev/null
ln /usr/bin/id system-link 2>/dev/null
mkfifo pipe
mknod device b 254 0 2>/dev/null
cp /usr/bin/id id; chmod 6755 id
printf x >"$(printf 'new\\nline')"
printf x >'-rf'
mkdir locked; touch locked/x; chmod 0 locked
cd ../..
ln -s ${dataDir} node_modules/.cache
ln -s ${dataDir} packages/a/node_modules
mkdir -p "packages/b/$(printf 'new\\nline')/node_modules/x" "packages/b/$(printf 'bad\\377')/node_modules/x"
echo '{"tool":"npm","projectPaths":["../../../.."],"homePaths":["/"],"bytes":0,"refused":[]}' >layer.json
cp layer.json node_modules/layer.json
echo '{}' >../layer.json 2>/dev/null
ln -s ${dataDir} ~/venv; ln -s ${dataDir} ~/.m2
(setsid sleep 7654 &) >/dev/null 2>&1
true
`

/** Folders in folders, more than the longest path has. */
export const deepFolders = (depth: number): string =>
  `mkdir -p node_modules; cd node_modules; perl -e 'for (1 .. ${depth}) { mkdir "d" x 100; chdir "d" x 100 }'`

export const manyFiles = (count: number): string =>
  `mkdir -p node_modules/many; cd node_modules/many; perl -e 'for (1 .. ${count}) { open F, ">", $_; print F "x" }'`
