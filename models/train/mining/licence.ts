// Reads the licence of a package and decides whether it may be used for training.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type PackageLicence = { readonly version: string; readonly licence: string }

/** Null if the package states no licence we can parse. */
export function readLicence(source: string, folder: string): PackageLicence | null {
  if (source === 'npm') return ofNpm(folder)
  return source === 'pip' ? ofPython(folder) : ofDebian(folder)
}

/** Every named licence must be permissive. «MIT or GPL» is also rejected, which costs little. */
export function isPermissive(licence: string): boolean {
  const names = licence.split(/\s+(?:or|and|\/)\s+|[(),;/]|\s\+\s/i).map((name) => name.trim())
  const named = names.filter((name) => name !== '')
  return named.length > 0 && named.every((name) => PERMISSIVE.test(name))
}

const PERMISSIVE =
  /^(?:the\s+)?(?:MIT(?:-0)?|Expat|ISC|0?BSD|(?:new|modified|simplified)\s+BSD|BSD[- ]?[23][- ]clause|BSD[-~][\w.~-]+|Apache(?:[- ](?:software[- ])?(?:license,?[- ]?)?(?:version )?v?2(?:\.0)?)?|Apache Software License)(?:\s+licen[cs]e)?(?:\s*\d\.\d)?$/i

function ofNpm(folder: string): PackageLicence | null {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return null
  const manifest: { version?: unknown; license?: unknown } = JSON.parse(readFileSync(file, 'utf8'))
  const { version, license } = manifest
  return typeof version === 'string' && typeof license === 'string' ? { version, licence: license } : null
}

function ofPython(folder: string): PackageLicence | null {
  const [file] = globSync(join(folder, '*.dist-info', 'METADATA'))
  if (!file) return null
  const head = readFileSync(file, 'utf8').split(/\r?\n\r?\n/)[0] ?? ''
  const stated = (field: string) => new RegExp(`^${field}:[ \\t]*(.+)$`, 'm').exec(head)?.[1]?.trim()
  const classified = [...head.matchAll(/^Classifier: License :: (?:OSI Approved :: )?(.+)$/gm)].map(
    ([, name = '']) => name,
  )
  const licence =
    stated('License-Expression') ?? (classified.length > 0 ? classified.join(' and ') : stated('License'))
  const version = stated('Version')
  return licence && version ? { version, licence } : null
}

/**
 * Debian lists licences by file. The licence is that of all files without their own entry. A package with a
 * single copyleft file is rejected.
 */
function ofDebian(folder: string): PackageLicence | null {
  const [file] = globSync(join(folder, '{debian,usr/share/doc/*}', 'copyright'))
  const [mark] = globSync(join(folder, '.{deb,dsc}'))
  if (!file || !mark) return null
  const stanzas = readFileSync(file, 'utf8')
    .split(/\n\s*\n/)
    .map((stanza) => ({
      files: /^Files:\s*(.+)/m.exec(stanza)?.[1] ?? '',
      licence: /^License:[ \t]*(.+)/m.exec(stanza)?.[1]?.trim() ?? '',
    }))
  const licence = stanzas.find(({ files }) => files.split(/\s+/).includes('*'))?.licence
  const isCopyleft = stanzas.some(
    (each) => /GPL|MPL|EPL|CDDL/.test(each.licence) && !each.files.startsWith('debian/'),
  )
  const version = readFileSync(mark, 'utf8')
    .trim()
    .split('_')[1]
    ?.replace(/\.dsc$/, '')
  return licence && version && !isCopyleft ? { version: decodeURIComponent(version), licence } : null
}
