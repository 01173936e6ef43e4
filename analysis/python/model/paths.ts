// Paths: `os.path` and `pathlib`.
import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { allTaints, concat, constantValue, sanitize } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The type of a path without `..` and links, for which a prefix check is valid. */
export const RESOLVED_PATH = 'resolved path'

const PATH = 'pathlib.Path'

export const paths: readonly CallModel[] = [
  {
    name: ['os.path.abspath', 'os.path.realpath', 'os.path.normpath', '*.resolve', '*.absolute'],
    returns: (event) => {
      const of =
        event.receiver?.type === PATH ? event.receiver : (event.arg(0)?.value ?? event.receiver ?? UNTAINTED)
      return typeof of.known === 'string' ? of : { taints: allTaints(of), type: RESOLVED_PATH }
    },
  },
  {
    name: ['os.path.join', 'posixpath.join'],
    returns: (event) => joinedPath(event.args.map(({ value }) => value)),
  },
  {
    name: ['pathlib.Path', 'pathlib.PurePath', 'pathlib.PosixPath', 'pathlib.PurePosixPath', 'anyio.Path'],
    returns: (event) => ({ ...joinedPath(event.args.map(({ value }) => value)), type: PATH }),
  },
  {
    name: ['*.joinpath', '*.with_name', '*.with_suffix'],
    returns: (event) => ({
      ...joinedPath([event.receiver ?? UNTAINTED, ...event.args.map(({ value }) => value)]),
      type: PATH,
    }),
  },
  { name: ['*.expanduser', '*.as_posix'], returns: ({ receiver }) => receiver ?? UNTAINTED },
  { name: '*.__truediv__', returns: divided },
]

/** `/` between values: a path or a number. */
function divided({ receiver, args }: CallEvent): AbstractValue {
  const [left, right] = [receiver ?? UNTAINTED, args[0]?.value ?? UNTAINTED]
  if (typeof left.known === 'number' && typeof right.known === 'number')
    return constantValue(left.known / right.known)
  if (left.type === 'int' || right.type === 'int' || typeof left.known === 'number') return UNTAINTED
  return { ...joinedPath([left, right]), type: PATH }
}

function joinedPath(parts: readonly AbstractValue[]): AbstractValue {
  return withParts(
    concat(parts.flatMap((part, index) => (index === 0 ? [part] : [constantValue('/'), part]))),
  )
}

/** The last segment of a path cannot leave the folder. */
function withParts(path: AbstractValue): AbstractValue {
  if (path.taints.length === 0) return path
  const last = sanitize({ taints: path.taints }, ['path'])
  return { ...path, fields: new Map(['name', 'stem', 'suffix'].map((part) => [part, last])) }
}
