// Why a file is not indexed.
import { msg } from '../../i18n/t.ts'

export const REASONS: Readonly<Record<string, string>> = {
  invalid_path: msg('has a name that cannot be indexed'),
  ignored: msg('is ignored'),
  vendored: msg('is third-party code'),
  generated: msg('is generated'),
  minified: msg('is minified'),
  lockfile: msg('is a lock file'),
  binary: msg('is not text'),
  too_large: msg('is larger than 400 kB'),
  empty: msg('is empty'),
  secret: msg('may hold secrets'),
  not_text: msg('is not text'),
  no_room: msg('does not fit: too much for one upload'),
  bad_name: msg('has a name that cannot be sent'),
  unreadable: msg('could not be read'),
}
