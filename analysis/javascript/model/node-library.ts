// Node.js modules and common packages.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { propagates, returnsType, returnsUntainted, sanitizes, taintsOf } from '../../engine/model-helpers.ts'
import {
  allTaints,
  concat,
  constantValue,
  joinTaints,
  sanitize,
  tainted,
} from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'
import { CONTEXT, fileNames, REQUEST, RESPONSE } from './requests.ts'

/** The type of a resolved path. A prefix check then decides where it leads. */
export const PATH_TYPE = 'path'
/** The type of a URL parsed by the platform. */
export const URL_TYPE = 'URL'
const QUERY_TYPE = 'URLSearchParams'

/** The input cannot be recovered from a hash, a signature or an id. */
const ONE_WAY_FUNCTIONS = [
  ...'createHash createHmac randomBytes randomUUID randomInt hash scrypt scryptSync pbkdf2 pbkdf2Sync sign'
    .split(' ')
    .map((name) => `crypto.${name}`),
  ...'v1 v3 v4 v5 v7'.split(' ').map((name) => `uuid.${name}`),
  ...['bcrypt', 'bcryptjs', 'argon2'].flatMap((name) => [
    `${name}.hash`,
    `${name}.hashSync`,
    `${name}.compare`,
  ]),
  'nanoid.nanoid',
  'jsonwebtoken.sign',
]

export const nodeCalls: readonly CallModel[] = [
  {
    name: [
      'path.join',
      'path.resolve',
      'path.normalize',
      'path.posix.join',
      'path.posix.resolve',
      'path.posix.normalize',
      'path.win32.join',
      'upath.join',
    ],
    returns: joinPath,
  },
  {
    name: ['fs.realpathSync', 'fs.realpath', 'fs.promises.realpath', 'fs/promises.realpath'],
    returns: joinPath,
  },
  {
    name: ['path.basename', 'path.extname', 'path.parse', 'sanitize-filename', 'sanitize-filename()'],
    returns: sanitizes('path'),
  },
  { name: ['path.dirname'], returns: propagates(0, 1) },
  {
    name: ['path.relative'],
    returns: (event) => ({ taints: taintsOf({ ...event, receiver: null }), type: PATH_TYPE }),
  },
  {
    name: [
      'url.parse',
      'URL',
      'url.URL',
      'url.resolve',
      'url.format',
      'url-parse',
      'parseurl',
      'parseurl.original',
      'fast-url-parser.parse',
    ],
    returns: parseUrl,
  },
  {
    name: ['URLSearchParams', 'url.URLSearchParams'],
    returns: (event) => ({ taints: allTaints(event.arg(0)?.value ?? UNTAINTED), type: QUERY_TYPE }),
  },
  {
    name: [`${QUERY_TYPE}#get`, `${QUERY_TYPE}#getAll`],
    returns: ({ receiver }) => ({ taints: receiver?.taints ?? [], type: 'string' }),
  },
  {
    name: ['querystring.parse', 'qs.parse', 'query-string.parse'],
    returns: propagates(0),
  },
  { name: ['url.fileURLToPath', 'url.pathToFileURL'], returns: propagates(0) },
  { name: ONE_WAY_FUNCTIONS, returns: returnsUntainted() },
  { name: ['*.digest'], returns: returnsUntainted() },
  {
    name: ['os.tmpdir', 'os.homedir', 'os.hostname', 'os.platform', 'console.log', 'console.error'],
    returns: returnsUntainted(),
  },
  {
    name: [
      'fs.exists',
      'fs.existsSync',
      'fs.stat*',
      'fs.lstat*',
      'fs.access*',
      'fs.promises.stat',
      'fs.promises.access',
    ],
    returns: returnsUntainted(),
  },
  {
    name: ['fs', 'fs.promises', 'fs/promises', 'fs-extra', 'graceful-fs'].flatMap((module) => [
      `${module}.readdir`,
      `${module}.readdirSync`,
      `${module}.readdirAsync`,
    ]),
    returns: ({ expr, path }) => fileNames({ label: '', at: expr.at, path }),
  },
  {
    name: [
      'fs.readFile*',
      'fs.createReadStream',
      'fs.readFileSync',
      'fs/promises.readFile',
      'fs.promises.readFile',
      'fs-extra.readFile',
    ],
    returns: returnsUntainted(),
  },
  {
    name: [
      `${REQUEST}#get`,
      `${REQUEST}#header`,
      `${REQUEST}#param`,
      `${REQUEST}#query`,
      `${REQUEST}#params`,
    ],
    returns: (event) => (isIncoming(event) ? { ...incomingSource(event), type: 'string' } : undefined),
  },
  {
    name: [
      `${REQUEST}#json`,
      `${REQUEST}#text`,
      `${REQUEST}#formData`,
      `${REQUEST}#body`,
      `${REQUEST}#parseBody`,
    ],
    returns: (event) => (isIncoming(event) ? incomingSource(event) : undefined),
  },
  { name: [`${CONTEXT}#param`, `${CONTEXT}#query`], returns: incomingSource },
  {
    name: [
      `${RESPONSE}#status`,
      `${RESPONSE}#type`,
      `${RESPONSE}#code`,
      `${RESPONSE}#set`,
      `${RESPONSE}#header`,
      `${RESPONSE}#contentType`,
    ],
    returns: (event) => event.receiver ?? UNTAINTED,
  },
  { name: ['next/headers.cookies', 'next/headers.headers'], returns: incomingSource },
  {
    name: ['express', 'express.Router', 'koa', 'fastify', '@koa/router', 'koa-router'],
    returns: returnsType('Server'),
  },
  { name: ['formidable', 'multer', 'busboy'], returns: returnsType('Uploads') },
]

/** An incoming request, not an outgoing one or one of a database. */
const isIncoming = ({ receiver }: CallEvent): boolean => receiver?.fields?.has('headers') ?? false

function incomingSource({ source, expr, path: file }: CallEvent): AbstractValue {
  return tainted('request', source(expr.at).replace(/\s+/g, ' ').slice(0, 60), expr.at, file)
}

/** The string of a path. A path joined to `/` first cannot climb out of it. */
function joinPath(event: CallEvent): AbstractValue {
  const given = event.args.map(({ value }) => value)
  const parts = given.flatMap((value, index) => (index === 0 ? [value] : [constantValue('/'), value]))
  const whole = concat(parts)
  const first = given[0]
  const lead = first?.known ?? (typeof first?.pieces?.[0] === 'string' ? first.pieces[0] : undefined)
  const isAtRoot = lead === '/' || (event.method === 'normalize' && lead === './')
  const result: AbstractValue = whole.known === undefined ? { ...whole, type: PATH_TYPE } : whole
  return isAtRoot ? sanitize(result, ['path', 'redirect']) : result
}

/** The base decides the host and protocol. A value in the path or query changes neither. */
function parseUrl(event: CallEvent): AbstractValue {
  const [given, second] = [event.arg(0)?.value ?? UNTAINTED, event.arg(1)?.value]
  // `parseurl` takes the request itself.
  const first =
    (given.type === REQUEST && given.fields?.get(event.method === 'original' ? 'originalUrl' : 'url')) ||
    given
  const taints = joinTaints(allTaints(first), second ? allTaints(second) : [])
  const isParsed = event.method === 'URL'
  const pathname = isParsed ? sanitize({ taints, type: 'string' }, ['path']) : { taints, type: 'string' }
  // A link cannot change the host it leads to.
  const isOwn = taints.every(({ label }) => OWN_ADDRESS.test(label))
  const origin = isOwn ? sanitize({ taints, type: 'string' }, ['redirect']) : undefined
  const fields = new Map<string, AbstractValue>([
    ['pathname', pathname],
    // A link chooses the query, even of the page itself.
    [
      'searchParams',
      {
        taints: taints.map((taint) => ({ ...taint, label: `${taint.label}.searchParams` })),
        type: QUERY_TYPE,
      },
    ],
  ])
  for (const name of origin ? ['origin', 'host', 'hostname', 'protocol'] : [])
    if (origin) fields.set(name, origin)
  const value: AbstractValue = { taints, type: URL_TYPE, fields }
  if (hasFixedHost(first)) return sanitize(value, ['redirect', 'url'])
  return first.pieces ? { ...value, pieces: first.pieces } : value
}

const OWN_ADDRESS = /^[\w$]+(?:\.req|\.request)?\.(?:url|originalUrl)$/

/** The constant start of the address, or the parts of an object for `url.format`, determine the host. */
function hasFixedHost({ pieces, fields }: AbstractValue): boolean {
  const start = pieces?.[0]
  if (typeof start === 'string') return /^\/[^/\\]|^https?:\/\/[^/]+\//.test(start)
  if (!fields) return false
  const isOwn = (name: string) => allTaints(fields.get(name) ?? UNTAINTED).length === 0
  return fields.has('pathname') && ['href', 'host', 'hostname', 'auth', 'pathname'].every(isOwn)
}
