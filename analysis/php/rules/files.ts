import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  hasFixedHost,
  isDirectRequest,
} from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about included files and file paths from input. */
export const fileInclusion: Rule = {
  id: 'PH-LFI-01',
  title: 'An included file is named by input',
  cwe: 98,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'Input decides which file is run as PHP. It can be any file on this machine, an upload, or a remote file.',
  fix: 'Look the page up in a fixed list (`$pages[$name] ?? "home.php"`).',
  on: { call: findInclude },
}

const INCLUDES = new Set(words('include include_once require require_once'))

function findInclude(event: CallEvent): Hit | undefined {
  if (event.receiver || !INCLUDES.has(event.name)) return undefined
  const value = event.arg(0)?.value
  const found = value && findTaintedInterpolation(value, ['path'], isDirectRequest)
  return found && flowHit(event.expr.at, found.taint, 'the name of an included file')
}

/** File paths from input. */
export const pathTraversal: Rule = {
  id: 'PH-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'Input names a file. With `../` it names any file that this process can open, write or delete: settings, keys, files of other users.',
  fix: 'Use `basename($name)`, or compare `realpath($path)` with its folder, or look it up in a list.',
  on: { call: findPath },
}

const FIRST = new Set(
  words(
    `readfile fopen file file_get_contents unlink file_put_contents copy rename mkdir rmdir scandir opendir highlight_file
     show_source parse_ini_file SplFileObject BinaryFileResponse fpassthru touch chmod`,
  ),
)
const SECOND = new Set(['copy', 'rename'])
const DOWNLOADS = new Set(['download', 'file', 'sendFile'])
const CHECKED = /realpath\(|\bvalidate_file\(|in_array\(|\$?\w*(allow|whitelist|valid)\w*[[(]/i

function findPath(event: CallEvent): Hit | undefined {
  const isDownload =
    event.receiver !== null && DOWNLOADS.has(event.method) && /response\(\)$/.test(event.receiver.name ?? '')
  if (!isDownload && (event.receiver || !FIRST.has(event.name))) return undefined
  const values = event.args.slice(0, SECOND.has(event.name) ? 2 : 1).map(({ value }) => value)
  for (const value of values) {
    const found = findTaintedInterpolation(
      value,
      ['path'],
      (taint, { before }) => isDirectRequest(taint) && !isAddress(event, taint.label, before),
    )
    if (found)
      return matchesBefore(event, event.expr.at, CHECKED)
        ? undefined
        : flowHit(event.expr.at, found.taint, 'a file path')
  }
  return undefined
}

/** A value meant as a URL belongs to another rule. */
const isAddress = (event: CallEvent, label: string, before: string): boolean =>
  /^[a-z]+:\/\//i.test(before) || hasFixedHost(before) || (before === '' && isUrlName(event, label))

const ADDRESS = /\b\w*(url|uri|link|host|feed|endpoint|webhook|callback|remote|proxy)\w*\b/i

export const isUrlName = (event: CallEvent, label: string): boolean =>
  ADDRESS.test(label) || ADDRESS.test(event.args[0] ? event.source(event.args[0].expr.at) : '')
