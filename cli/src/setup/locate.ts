// The configuration file of a client on this computer.
import { posix, win32 } from 'node:path'
import type { ClientFile } from '@cowrie/sdk/clients'
import { Failure } from '../errors.ts'

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

/** All paths that the client reads, the preferred one first. */
export function pathsOf(file: ClientFile, { env, platform }: Surroundings): string[] {
  const { join, dirname, isAbsolute } = platform === 'win32' ? win32 : posix
  const variable = file.variables.find(
    ({ name, system }) => isAbsolute(env[name] ?? '') && (system === undefined || system === platform),
  )
  const path = variable
    ? join(env[variable.name] ?? '', variable.rest)
    : join(...expanded(systemPath(file, platform), { env, platform }))
  return [path, ...(file.otherNames ?? []).map((name) => join(dirname(path), name))]
}

function systemPath({ path }: ClientFile, platform: NodeJS.Platform): string {
  if (platform === 'win32') return path.windows ?? path.unix
  return (platform === 'darwin' ? path.mac : undefined) ?? path.unix
}

function expanded(path: string, { env, platform }: Surroundings): [string, string] {
  const [start = '', ...rest] = path.split('/')
  const name = start === '~' ? (platform === 'win32' ? 'USERPROFILE' : 'HOME') : start.replaceAll('%', '')
  const folder = env[name]
  if (!folder) throw new Failure('no_home', `The configuration cannot be found: ${name} is not set.`)
  return [folder, rest.join('/')]
}
