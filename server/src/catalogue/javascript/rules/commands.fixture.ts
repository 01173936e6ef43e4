import type { Example } from '../../example.fixture.ts'

export const examples: readonly Example[] = [
  {
    rule: 'JS-CMD-01',
    bad: [
      `const { exec: run } = require('child_process')
app.get('/ping', (req, res) => {
  run('ping -c 1 ' + req.query.host) // ← here
})`,
      `import util from 'node:util'
import { exec } from 'node:child_process'
const execute = util.promisify(exec)
export default async function handler(req, res) {
  const { branch } = req.body
  await execute(\`git checkout \${branch}\`) // ← here
}`,
      `const cp = require('child_process')
module.exports = function clone(url, folder, callback) {
  var command = ['git clone', url, folder].join(' ')
  cp.exec(command, callback) // ← here
}`,
      `const { spawn } = require('child_process')
app.post('/run', (req, res) => {
  spawn('convert', [req.body.file], { shell: true }) // ← here
})`,
      `const { spawnSync } = require('child_process')
function shell(text) {
  return spawnSync('sh', ['-c', text]) // ← here
}
app.post('/run', (req, res) => res.json(shell('du -s ' + req.body.folder)))`,
      `import { Controller, Get, Query } from '@nestjs/common'
import { execSync } from 'child_process'
@Controller()
export class Tools {
  @Get('whois')
  whois(@Query('domain') domain: string) {
    return execSync('whois ' + domain).toString() // ← here
  }
}`,
      `const { execSync } = require('child_process')
module.exports = Git
function Git(folder) { this.folder = folder }
Git.prototype.show = function (reference) { return this.run(['show', reference]) }
Git.prototype.run = function (args) {
  return execSync('git ' + args.join(' ')) // ← here
}`,
      `const shell = require('execa').shell
module.exports = { stop(port) { return this.run(port) }, run(port) { return shell(\`fuser -k \${port}/tcp\`) } }`,
      `const exec = Promise.denodeify(require('child_process').exec)
module.exports = function () {
  const names = Array.prototype.slice.call(arguments)
  return names.map((name) => exec('which ' + name))
}`,
      `const { execSync } = require('child_process')
module.exports = Git
function Git(folder) { this.folder = folder }
Git.prototype.command = function (reference) { return 'git show ' + reference }
Git.prototype.show = function (reference) {
  return execSync(this.command(reference)) // ← here
}`,
    ],
    good: [
      `const { execFile } = require('child_process')
app.get('/ping', (req, res) => execFile('ping', ['-c', '1', '--', req.query.host]))`,
      `const { exec } = require('child_process')
const { quote } = require('shell-quote')
app.get('/ping', (req, res) => exec('ping -c 1 ' + quote([req.query.host])))`,
      `const { exec } = require('child_process')
const TARGETS = ['build', 'test']
app.get('/make', (req, res) => {
  const { target } = req.query
  if (!TARGETS.includes(target)) return res.status(400).end()
  exec('make ' + target)
})`,
      `const { exec } = require('child_process')
app.get('/kill', (req, res) => {
  const pid = parseInt(req.query.pid, 10)
  exec('kill ' + pid)
})`,
      `const { exec } = require('child_process')
app.get('/ping', (req, res) => {
  if (!/^[a-z0-9.-]+$/i.test(req.query.host)) return res.status(400).end()
  exec('ping -c 1 ' + req.query.host)
})`,
      `const { exec } = require('child_process')
exports.run = function (command, options, callback) { return exec(command, options, callback) }`,
      `const { execFileSync } = require('child_process')
function Git(folder) { this.folder = folder }
Git.prototype.show = function (reference) { return this.run(['show', reference]) }
Git.prototype.run = function (args) { return execFileSync('git', args, { cwd: this.folder }) }
module.exports = Git`,
      `const { execSync } = require('child_process')
exports.find = function (name) {
  if (!/^[a-z]+$/.test(name)) {
    console.error('no such name')
    process.exit(1)
  }
  return execSync('which ' + name)
}`,
      `const { execSync } = require('child_process')
function escapeShellArg(text) { return "'" + text.split("'").join("'\\\\''") + "'" }
exports.find = function (name) { return execSync('which ' + escapeShellArg(name)) }`,
      `const { exec } = require('child_process')
const NAME = 'status'
exec('git ' + NAME)`,
    ],
  },
]
