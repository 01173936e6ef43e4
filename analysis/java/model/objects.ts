// Library objects with one relevant property: the flags of a cookie, the name of an archive entry.

import { type AbstractValue, UNTAINTED } from '../../abstract-value.ts'
import { sanitizes } from '../../engine/model-helpers.ts'
import { constantValue, tainted, withField } from '../../engine/values/values.ts'
import type { CallModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

/** The label of archive entry names. */
export const ARCHIVE_ENTRY_LABEL = 'name of an archive entry'

const COOKIE = 'javax.servlet.http.Cookie'
const ENTRIES = [
  'java.util.zip.ZipEntry',
  'java.util.jar.JarEntry',
  'org.apache.commons.compress.archivers.ArchiveEntry',
  'org.apache.commons.compress.archivers.zip.ZipArchiveEntry',
  'org.apache.commons.compress.archivers.tar.TarArchiveEntry',
]

export const objectCalls: readonly CallModel[] = [
  { name: COOKIE, returns: cookie },
  { name: [`${COOKIE}#setSecure`], returns: () => UNTAINTED, receiver: (event) => kept(event, 'secure') },
  { name: [`${COOKIE}#setMaxAge`], returns: () => UNTAINTED, receiver: (event) => kept(event, 'maxAge') },
  { name: ENTRIES.map((type) => `${type}#getName`), returns: entryName },
  {
    name: ['*.getNextEntry', '*.getNextZipEntry', '*.getNextJarEntry'],
    returns: () => ({ taints: [], type: ENTRIES[0] ?? '' }),
  },
  // JSON is not rendered as HTML.
  {
    name: ['*.toJson', '*.toJSONString', '*.writeValueAsString', 'JSONObject#toString', '*.toJSON'],
    returns: sanitizes('html', 'header'),
  },
]

function cookie({ args, name }: CallEvent): AbstractValue {
  const taints = args.at(1)?.value.taints ?? []
  return { taints, type: name, fields: new Map([['secure', constantValue(false)]]) }
}

const kept = ({ receiver, arg }: CallEvent, field: string): AbstractValue | undefined =>
  receiver ? withField(receiver, field, arg(0)?.value ?? UNTAINTED) : undefined

function entryName(event: CallEvent): AbstractValue {
  return { ...tainted('stored', ARCHIVE_ENTRY_LABEL, event.expr.at, event.path), type: 'java.lang.String' }
}
