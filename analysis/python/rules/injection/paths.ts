// Rules about file paths from input and from archives.

import type { AbstractValue } from '../../../abstract-value.ts'
import { isCall, isType } from '../../../engine/name-patterns.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const path: Rule = {
  id: 'PY-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['python'],
  message: '`../` in the input leaves the intended folder, and an absolute path replaces it.',
  fix: 'Use `os.path.basename` or `secure_filename`, `safe_join` or `send_from_directory`, or resolve the path and check `is_relative_to` before opening it.',
  on: {
    call(event) {
      for (const each of pathsOf(event)) {
        const taint = findTaint(each, { sinks: ['path'] })
        if (taint) return isComparedBefore(event) ? undefined : flowHit(event, taint)
      }
      const asked = findTaint(askedPath(event), { sinks: ['path'], unknownCallsMax: 0 })
      if (!asked || isComparedBefore(event)) return undefined
      return { ...flowHit(event, asked), severity: 'note', confidence: 'low' }
    },
  },
}

/** The path was compared with the folder in a form that leaves no trace in the value. */
function isComparedBefore({ functions, expr, source }: CallEvent): boolean {
  const [inside] = functions
  if (!inside) return false
  const before = source({ ...inside.at, end: expr.at.start })
  return /\.commonp(?:ath|refix)\(|\.relative_to\(|(?:realpath|abspath|normpath|resolve)\([^\n]*\.startswith\(/.test(
    before,
  )
}

const FIRST = [
  'open',
  'io.open',
  'codecs.open',
  'os.open',
  'os.remove',
  'os.unlink',
  'os.rmdir',
  'os.listdir',
  'os.scandir',
  'os.makedirs',
  'os.mkdir',
  'os.removedirs',
  'os.chmod',
  'os.chown',
  'os.truncate',
  'shutil.rmtree',
  'flask.send_file',
  'quart.send_file',
  'aiofiles.open',
  'zipfile.ZipFile',
  'tarfile.open',
  'gzip.open',
  'bz2.open',
  'lzma.open',
  'flask.send_from_directory',
  'starlette.responses.FileResponse',
  'fastapi.responses.FileResponse',
  'aiohttp.web.FileResponse',
  'sanic.response.file',
  'numpy.load',
  'PIL.Image.open',
  'pandas.read_csv',
  'file',
  'fileinput.input',
  'linecache.getline',
  'mmap.mmap',
  'django.core.files.storage.default_storage.open',
  'os.startfile',
]
const BOTH = ['os.rename', 'os.replace', 'os.link', 'os.symlink', 'shutil.copy*', 'shutil.move', 'os.renames']
const OF_PATHS = new Set([
  'read_text',
  'read_bytes',
  'write_text',
  'write_bytes',
  'open',
  'unlink',
  'rmdir',
  'mkdir',
  'rename',
  'replace',
  'touch',
  'iterdir',
  'chmod',
])

function pathsOf(event: CallEvent): (AbstractValue | undefined)[] {
  if (isCall(event, ...FIRST)) return [event.arg(0)?.value ?? event.option('file') ?? event.option('path')]
  if (isCall(event, ...BOTH)) return [event.arg(0)?.value, event.arg(1)?.value]
  const { receiver, method } = event
  if (
    receiver &&
    OF_PATHS.has(method) &&
    // `replace(a, b)` is the method of a string.
    (method !== 'replace' || event.args.length === 1) &&
    (isType(receiver.type, 'pathlib.Path') || receiver.type === 'resolved path')
  )
    return [receiver]
  // An upload saved under the name sent by the client.
  if (method === 'save' && receiver && receiver.taints.length > 0)
    return [event.arg(0)?.value ?? event.option('dst')]
  return []
}

/** The answer tells only whether the file exists. */
function askedPath(event: CallEvent): AbstractValue | undefined {
  if (isCall(event, 'os.path.exists', 'os.path.isfile', 'os.path.isdir', 'os.stat'))
    return event.arg(0)?.value
  const isPath = isType(event.receiver?.type, 'pathlib.Path') || event.receiver?.type === 'resolved path'
  return isPath && /^(?:exists|is_file|is_dir|stat)$/.test(event.method)
    ? (event.receiver ?? undefined)
    : undefined
}

export const archive: Rule = {
  id: 'PY-PATH-02',
  title: 'An archive entry decides where its file is written',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['python'],
  message:
    'Names in a tar archive can start with `/` or contain `..`, and links can lead anywhere. Unpacking then overwrites files outside the folder.',
  fix: 'Pass `filter="data"` to `extractall`, or check every member against the resolved folder before writing it.',
  on: {
    function({ calls }) {
      const isChecked = calls.some(({ method }) =>
        /getmembers|is_within|safe_extract|commonpath|commonprefix|is_relative_to/.test(method),
      )
      if (isChecked) return undefined
      return calls.flatMap((event) => {
        const isTar =
          event.receiver?.type === 'tarfile.TarFile' || /tarfile\.(?:open|TarFile)/.test(event.name)
        if (!isTar || (event.method !== 'extractall' && event.method !== 'extract')) return []
        if (event.option('filter') || event.option('members')) return []
        const taint = findTaint(event.receiver ?? undefined, { sinks: [], isForParameters: true })
        return taint ? [flowHit(event, taint)] : []
      })
    },
  },
}
