// Rules about file paths from input.

import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import { hasFixedHost } from '../../rule-helpers/interpolations.ts'
import { positional, requestHit } from '../../rule-helpers/request-flow.ts'
import { words } from '../model/values.ts'

export const pathTraversal: Rule = {
  id: 'RB-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'Input names a file. With `../` it names any file that this process can open, write or delete: settings, keys, files of other users.',
  fix: 'Use `File.basename(name)`, or check that `File.expand_path(name, root)` starts with the folder and a slash, or look the file up in a list.',
  on: { call: findPath },
}

const FILE_METHODS = words(
  `read open new binread readlines write binwrite foreach delete unlink rename symlink link chmod truncate readlink stat size`,
)
const NAMED = new Set([
  ...FILE_METHODS.map((method) => `File.${method}`),
  ...words(
    'File IO.binread Dir.glob Dir.entries Dir.children Dir.mkdir Dir.open Dir.foreach Dir.new Dir.chdir Dir.each_child',
  ),
  ...words(
    'FileUtils.rm FileUtils.rm_f FileUtils.rm_rf FileUtils.rm_r FileUtils.cp FileUtils.cp_r FileUtils.mv FileUtils.mkdir_p FileUtils.touch FileUtils.remove_entry FileUtils.install',
  ),
  ...words(
    'send_file YAML.load_file CSV.read CSV.foreach CSV.open Zip.File.open IO.readlines load Kernel.load',
  ),
])
const SECOND = /^(?:FileUtils\.(?:cp|cp_r|mv)|File\.(?:rename|symlink|link))$/
/** Methods of `Pathname`. */
const OF_PATH = /^(?:read|binread|open|write|delete|unlink|rmtree|children|entries|readlines)$/

const CHECKED =
  /\.start_with\?|(?:allow|permit|whitelist|valid|safe)\w*[.?!([]|\.include\?\(|File\.basename|=~\s*\/|\.match\?|realpath|relative_path_from/i

function findPath(event: CallEvent): Hit | undefined {
  const value = pathOf(event)
  if (value.length === 0) return undefined
  const found = requestHit(
    event,
    value,
    ['path'],
    'a file path',
    (_, before) => !hasFixedHost(before) && !/^[a-z]+:\/\//i.test(before),
  )
  return found && !matchesBefore(event, event.expr.at, CHECKED) ? found : undefined
}

function pathOf(event: CallEvent): ReturnType<typeof positional> {
  const { name, method, receiver } = event
  if (NAMED.has(name)) return positional(event).slice(0, SECOND.test(name) ? 2 : 1)
  if (method === 'send_file') return positional(event).slice(0, 1)
  if (name === 'render' && event.receiver === null) {
    const file = event.option('file') ?? event.option('template')
    return file ? [file] : []
  }
  const isPath = /^(?:Pathname(?:\.new)?\(\)|Rails\.root\.join\(\))/.test(receiver?.name ?? '')
  return receiver && isPath && OF_PATH.test(method) ? [receiver] : []
}
