// What Node's modules and the well-known packages make of what they are given.

import { CLEAN, type Value } from '../abstract-value.ts'
import { cleans, constant, makes, passes } from '../engine/model-helpers.ts'
import { allTaints, cleaned, concat, joinTaints, known, tainted } from '../engine/values/values.ts'
import type { CallModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'
import { CONTEXT, REQUEST, RESPONSE } from './requests.ts'

/** What has been put together as a path: a check of how it begins then says where it leads. */
export const PATH = 'path'
/** An address that was taken apart by the platform. */
export const URL_TYPE = 'URL'

/** Nobody reads the input back out of a hash, a signature or an id. */
const HIDING = [
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
    returns: path,
  },
  { name: ['fs.realpathSync', 'fs.realpath', 'fs.promises.realpath', 'fs/promises.realpath'], returns: path },
  {
    name: ['path.basename', 'path.extname', 'path.parse', 'sanitize-filename', 'sanitize-filename()'],
    returns: cleans('path'),
  },
  { name: ['path.dirname', 'path.relative'], returns: passes(0, 1) },
  {
    name: ['url.parse', 'URL', 'url.URL', 'url.resolve', 'url.format', 'url-parse', 'parseurl'],
    returns: address,
  },
  {
    name: ['URLSearchParams', 'url.URLSearchParams', 'querystring.parse', 'qs.parse', 'query-string.parse'],
    returns: passes(0),
  },
  { name: ['url.fileURLToPath', 'url.pathToFileURL'], returns: passes(0) },
  { name: HIDING, returns: constant() },
  { name: ['*.digest'], returns: constant() },
  {
    name: ['os.tmpdir', 'os.homedir', 'os.hostname', 'os.platform', 'console.log', 'console.error'],
    returns: constant(),
  },
  {
    name: [
      'fs.exists',
      'fs.existsSync',
      'fs.stat*',
      'fs.lstat*',
      'fs.access*',
      'fs.readdir*',
      'fs.promises.stat',
      'fs.promises.access',
    ],
    returns: constant(),
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
    returns: constant(),
  },
  {
    name: [
      `${REQUEST}#get`,
      `${REQUEST}#header`,
      `${REQUEST}#param`,
      `${REQUEST}#query`,
      `${REQUEST}#params`,
    ],
    returns: (event) => (isIncoming(event) ? { ...asked(event), type: 'string' } : undefined),
  },
  {
    name: [
      `${REQUEST}#json`,
      `${REQUEST}#text`,
      `${REQUEST}#formData`,
      `${REQUEST}#body`,
      `${REQUEST}#parseBody`,
    ],
    returns: (event) => (isIncoming(event) ? asked(event) : undefined),
  },
  { name: [`${CONTEXT}#param`, `${CONTEXT}#query`], returns: asked },
  {
    name: [
      `${RESPONSE}#status`,
      `${RESPONSE}#type`,
      `${RESPONSE}#code`,
      `${RESPONSE}#set`,
      `${RESPONSE}#header`,
      `${RESPONSE}#contentType`,
    ],
    returns: (event) => event.receiver ?? CLEAN,
  },
  { name: ['next/headers.cookies', 'next/headers.headers'], returns: asked },
  {
    name: ['express', 'express.Router', 'koa', 'fastify', '@koa/router', 'koa-router'],
    returns: makes('Server'),
  },
  { name: ['formidable', 'multer', 'busboy'], returns: makes('Uploads') },
]

/** A request that somebody sent, not one that is made here or one of a database. */
const isIncoming = ({ receiver }: CallEvent): boolean => receiver?.fields?.has('headers') ?? false

function asked({ source, expr, path: file }: CallEvent): Value {
  return tainted('request', source(expr.at).replace(/\s+/g, ' ').slice(0, 60), expr.at, file)
}

/** The text that a path is made of. What is put under the root of all paths cannot climb out of it. */
function path(event: CallEvent): Value {
  const given = event.args.map(({ value }) => value)
  const parts = given.flatMap((value, index) => (index === 0 ? [value] : [known('/'), value]))
  const whole = concat(parts)
  const first = given[0]
  const lead = first?.known ?? (typeof first?.pieces?.[0] === 'string' ? first.pieces[0] : undefined)
  const isAtRoot = lead === '/' || (event.method === 'normalize' && lead === './')
  const result: Value = whole.known === undefined ? { ...whole, type: PATH } : whole
  return isAtRoot ? cleaned(result, ['path']) : result
}

/** Host and protocol are decided by who gives the beginning; what only stands in the path or query decides neither. */
function address(event: CallEvent): Value {
  const [first, second] = [event.arg(0)?.value ?? CLEAN, event.arg(1)?.value]
  const taints = joinTaints(allTaints(first), second ? allTaints(second) : [])
  const isParsed = event.method === 'URL'
  const pathname = isParsed ? cleaned({ taints, type: 'string' }, ['path']) : { taints, type: 'string' }
  const value: Value = { taints, type: URL_TYPE, fields: new Map([['pathname', pathname]]) }
  return first.pieces ? { ...value, pieces: first.pieces } : value
}
