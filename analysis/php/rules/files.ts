import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesBefore } from '../../rule-helpers/function-text.ts'
import {
  findTaintedInterpolation,
  flowHit,
  hasFixedHost,
  isDirectRequest,
} from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Programs that somebody else chooses. */
export const fileInclusion: Rule = {
  id: 'PH-LFI-01',
  title: 'File included by a name from input',
  cwe: 98,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'A value from outside decides which file is run as a program. It can lead to any file on this machine, to what somebody uploaded, or to another machine.',
  fix: 'Look the page up in a list of your own (`$pages[$name] ?? "home.php"`).',
  on: { call: findInclude },
}

const INCLUDES = new Set(words('include include_once require require_once'))

function findInclude(event: CallEvent): Hit | undefined {
  if (event.receiver || !INCLUDES.has(event.name)) return undefined
  const value = event.arg(0)?.value
  const found = value && findTaintedInterpolation(value, ['path'], isDirectRequest)
  return found && flowHit(event.expr.at, found.taint, 'the name of a file that is run')
}

/** Files whose name somebody else chooses. */
export const pathTraversal: Rule = {
  id: 'PH-PATH-01',
  title: 'File path from input',
  cwe: 22,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'A value from outside names a file. With `../` in it, it names any file that this program may open, write or delete: settings, keys, the files of others.',
  fix: 'Take `basename($name)`, or compare `realpath($path)` with the folder it has to be in, and look it up in a list where you can.',
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
        : flowHit(event.expr.at, found.taint, 'the name of a file')
  }
  return undefined
}

/** What is meant as an address is another rule's. */
const isAddress = (event: CallEvent, label: string, before: string): boolean =>
  /^[a-z]+:\/\//i.test(before) || hasFixedHost(before) || (before === '' && isAddressName(event, label))

const ADDRESS = /\b\w*(url|uri|link|host|feed|endpoint|webhook|callback|remote|proxy)\w*\b/i

export const isAddressName = (event: CallEvent, label: string): boolean =>
  ADDRESS.test(label) || ADDRESS.test(event.args[0] ? event.source(event.args[0].expr.at) : '')
