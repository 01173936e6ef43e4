import type { Taint } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, EvaluatedArgument, Hit, Rule } from '../../rule.ts'
import { matchesBefore, matchesInFunction } from '../../rule-helpers/function-text.ts'
import { flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { ENTRY_LABEL } from '../model/paths.ts'

/** Rules about file paths from input and from archives. */
export const pathTraversal: Rule = {
  id: 'GO-PATH-01',
  title: 'A file path is built from input',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['go'],
  message:
    'Input names a file. With `../` it names any file that this process can open: keys, settings, files of other users. `filepath.Join` and `filepath.Clean` do not prevent that.',
  fix: 'Reject names for which `filepath.IsLocal(name)` is false, use `filepath.Base(name)`, or open it through `os.OpenRoot`.',
  on: {
    call: (event) => {
      const found = findPath(event, (taint) => isDirectRequest(taint) && !isRejectedByLibrary(event, taint))
      return found && matchesBefore(event, event.expr.at, CHECKED) ? undefined : found
    },
  },
}

/** Archives that write outside their target folder. */
export const archiveTraversal: Rule = {
  id: 'GO-PATH-02',
  title: 'An archive entry decides where its file is written',
  cwe: 22,
  severity: 'error',
  confidence: 'medium',
  languages: ['go'],
  message:
    'The name of an archive entry is joined to a folder and written. An entry named `../../x` lands outside the folder and can replace programs and settings.',
  fix: 'Reject entries for which `filepath.IsLocal(name)` is false, or check that the joined path still starts with the folder and a separator.',
  on: {
    call: (event) => {
      if (!WRITES.has(event.method)) return undefined
      const found = findPath(event, (taint) => isEntryOf(event, taint))
      return found && (matchesInFunction(event, CHECKED) || matchesInFunction(event, PREFIXED))
        ? undefined
        : found
    },
  },
}

/** Common names of project functions that check paths. */
const CHECKED =
  /\b\w*(IsLocal|[sS]afe\w*Path|[sS]afeJoin|[sS]ecureJoin|[sS]anitize\w*(Path|File|Name)|[vV]alid\w*(Path|Name|File)|OpenRoot|OpenInRoot|IsSubpath|withinDir|inTrustedRoot)\w*\(/
const PREFIXED = /HasPrefix\(|Contains\([^)]*"\.\."|filepath\.Rel\(/

const SINKS: readonly (readonly [readonly string[], readonly number[]])[] = [
  [
    'Open ReadFile Create OpenFile WriteFile Remove RemoveAll Mkdir MkdirAll ReadDir Readlink Chmod Truncate'
      .split(' ')
      .map((name) => `os.${name}`),
    [0],
  ],
  [
    ['os.Rename', 'os.Link', 'os.Symlink'],
    [0, 1],
  ],
  [['io/ioutil.ReadFile', 'io/ioutil.WriteFile', 'io/ioutil.ReadDir'], [0]],
  [['net/http.ServeFile'], [2]],
  [['gin.Context#File', 'gin.Context#FileAttachment'], [0]],
  [['echo.Context#File', 'v4.Context#File', 'v4.Context#Attachment', 'v4.Context#Inline'], [0]],
  [
    ['fiber.Ctx#SendFile', 'v2.Ctx#SendFile', 'v3.Ctx#SendFile', 'fiber.Ctx#Download', 'v2.Ctx#Download'],
    [0],
  ],
  [['gin.Context#SaveUploadedFile', 'v2.Ctx#SaveFile', 'fiber.Ctx#SaveFile'], [1]],
]

const WRITES = new Set(['Create', 'OpenFile', 'WriteFile', 'Mkdir', 'MkdirAll', 'Symlink', 'Link'])

function findPath(event: CallEvent, fits: (taint: Taint) => boolean): Hit | undefined {
  const sink = SINKS.find(([names]) => isCall(event, ...names))
  if (!sink) return undefined
  const paths = sink[1].flatMap((index): EvaluatedArgument[] =>
    event.args[index] ? [event.args[index]] : [],
  )
  for (const { value } of paths) {
    const taint = value.taints.find(
      (each) => !each.sanitizedFor.has('path') && !each.sanitizedFor.has('all') && fits(each),
    )
    if (taint) return flowHit(event.expr.at, taint, 'a file path')
  }
  return undefined
}

/** `http.ServeFile` rejects URLs with `..`. */
const isRejectedByLibrary = ({ method }: CallEvent, { label }: Taint): boolean =>
  method === 'ServeFile' && /URL(\.Path)?$/.test(label)

/** Read in the same function. A function that receives a path may have been called after a check. */
function isEntryOf({ functions }: CallEvent, { label, steps }: Taint): boolean {
  const [around, read] = [functions[0]?.at, steps[0]?.at]
  return (
    label === ENTRY_LABEL &&
    around !== undefined &&
    read !== undefined &&
    around.start <= read.start &&
    read.end <= around.end
  )
}
