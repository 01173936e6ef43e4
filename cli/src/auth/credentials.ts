// Keys stored by `cowrie auth login`: one per service and organisation, in a file that only its owner can read.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../errors.ts'
import { writeAtomically } from '../system/atomic-write.ts'
import type { Paths } from '../system/paths.ts'

export type Credential = {
  readonly key: string
  /** The id of the key; null when the service did not return it. */
  readonly id: string | null
  /** Logout revokes keys that a login created. Keys given by the user may be in use elsewhere. */
  readonly origin: 'login' | 'given'
  readonly userId: string
  readonly orgId: string
  /** Null when the service did not return it. */
  readonly orgName: string | null
}

/** The keys of one service by organisation id, and the default organisation. */
export type ServiceKeys = { readonly org: string; readonly keys: ReadonlyMap<string, Credential> }

type Content = { readonly current: string | null; readonly services: ReadonlyMap<string, ServiceKeys> }
type StoredCredentials = Content & {
  /** Why the file is not safe to use; null when it is private. */
  readonly exposed: string | null
}

const EMPTY: StoredCredentials = { current: null, services: new Map(), exposed: null }
const BYTES_MAX = 1024 * 1024

/** The stored keys, or null without a home folder. */
export const credentialsIn = ({ config }: Paths): Credentials | null =>
  config === null ? null : new Credentials(join(config, 'credentials.json'))

/** Normalises the address, so that each service has one entry. */
export function serviceName(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** The key for an organisation, by id or name. Default: the current organisation. */
export function keyFor(kept: ServiceKeys | undefined, org: string | undefined): Credential | undefined {
  if (!kept) return undefined
  if (org === undefined) return kept.keys.get(kept.org)
  return kept.keys.get(org) ?? [...kept.keys.values()].find((each) => matchesOrg(each, org))
}

/** Whether the organisation has this id or name. */
export const matchesOrg = (
  { orgId, orgName }: { orgId: string; orgName: string | null },
  named: string,
): boolean => orgId === named || orgName?.toLowerCase() === named.trim().toLowerCase()

export class Credentials {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** An absent file reads as empty. */
  async read(): Promise<StoredCredentials> {
    const file = this.#open()
    if (file === null) return EMPTY
    try {
      // Stat the open file, so that the checked file is the one that is read.
      const found = fstatSync(file)
      const { mode, uid, size } = found
      if (!found.isFile() || size > BYTES_MAX) throw this.#failure('is not a credentials file; move it away')
      const parsed = parse(readFileSync(file, 'utf8'))
      if (!parsed) throw this.#failure('is damaged; move it away and run "cowrie auth login"')
      return { ...parsed, exposed: exposure(mode, uid) }
    } finally {
      closeSync(file)
    }
  }

  /** Reads without promises, because loading them delays the prompt of a session. */
  #open(): number | null {
    try {
      // Without waiting for a writer, should it be a named pipe.
      return openSync(this.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') return null
      throw this.#failure('cannot be read', error)
    }
  }

  /** Reads before a change. Throws if other users could have written the file. */
  async readPrivate(): Promise<Content> {
    const { exposed, ...content } = await this.read()
    if (exposed) throw this.#failure(`${exposed}; check its content, then run "chmod 600" on it`)
    return content
  }

  /** Checks that a key can be stored, before one is requested. */
  async prepare(): Promise<void> {
    const folder = dirname(this.path)
    await this.readPrivate()
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
    } catch (error) {
      throw this.#failure('cannot be written', error)
    }
  }

  /** Stores a key and makes its service and organisation the defaults. */
  async save(baseUrl: string, credential: Credential): Promise<void> {
    const { services } = await this.readPrivate()
    const name = serviceName(baseUrl)
    const keys = new Map([...(services.get(name)?.keys ?? []), [credential.orgId, credential]])
    const kept = { org: credential.orgId, keys }
    await this.#write({ current: name, services: new Map([...services, [name, kept]]) })
  }

  /** Removes the key of one organisation, or all keys of the service. */
  async remove(baseUrl: string, orgId?: string): Promise<void> {
    const { current, services } = await this.readPrivate()
    const name = serviceName(baseUrl)
    const kept = services.get(name)
    const keys = new Map([...(kept?.keys ?? [])].filter(([org]) => orgId !== undefined && org !== orgId))
    const [left] = keys.keys()
    const rest = new Map(services)
    if (!kept || left === undefined) rest.delete(name)
    else rest.set(name, { org: keys.has(kept.org) ? kept.org : left, keys })
    await this.#write({ current: current === name && !rest.has(name) ? null : current, services: rest })
  }

  async #write({ current, services }: Content): Promise<void> {
    await this.prepare()
    const asObject = [...services].map(
      ([name, { org, keys }]) => [name, { org, keys: Object.fromEntries(keys) }] as const,
    )
    const text = `${JSON.stringify({ current, services: Object.fromEntries(asObject) }, null, 2)}\n`
    try {
      await writeAtomically(this.path, text)
    } catch (error) {
      throw this.#failure('cannot be written', error)
    }
  }

  #failure(what: string, cause?: unknown): Failure {
    const reason = cause instanceof Error ? ` (${cause.message})` : ''
    return new Failure('credentials_unusable', `${this.path} ${what}${reason}.`)
  }
}

/** Windows has no such mode bits. */
function exposure(mode: number, owner: number): string | null {
  const self = process.getuid?.()
  if (self === undefined) return null
  if (owner !== self) return 'belongs to another user'
  return mode & 0o077 ? 'is readable by other users' : null
}

function parse(text: string): Content | null {
  const read = json(text)
  if (!isRecord(read) || !isRecord(read.services)) return null
  const services = new Map<string, ServiceKeys>()
  for (const [name, kept] of Object.entries(read.services)) {
    if (!isRecord(kept) || typeof kept.org !== 'string' || !isRecord(kept.keys)) return null
    const keys = Object.entries(kept.keys)
    if (!keys.every((entry): entry is [string, Credential] => isCredential(entry[1]))) return null
    services.set(name, { org: kept.org, keys: new Map(keys) })
  }
  return { current: typeof read.current === 'string' ? read.current : null, services }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCredential = (value: unknown): value is Credential =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  (value.id === null || typeof value.id === 'string') &&
  (value.origin === 'login' || value.origin === 'given') &&
  typeof value.userId === 'string' &&
  typeof value.orgId === 'string' &&
  (value.orgName === null || typeof value.orgName === 'string')
