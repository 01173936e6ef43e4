// Which files may be sent at all, by their paths alone: those that the service takes, and none that are known to hold secrets.
// Whoever names such a file is told so; nobody sends one by accident.
import { isSecretFile } from '@cowrie/sdk/secrets'

export type Why =
  /** `.env`, keys, stores of passwords: files that are made to be kept secret. */
  | 'secret'
  /** The service takes no such path. */
  | 'name'
  /** `.cowrieignore`, or the setting `exclude`. */
  | 'excluded'
  /** Could lead to a file that is not in the repository. */
  | 'link'
  | 'binary'
  | 'large'
  | 'unreadable'

export const WHY_WORDS: Readonly<Record<Why, string>> = {
  secret: 'is never sent: files of this name hold secrets',
  name: 'has a name that the service does not take',
  excluded: 'is excluded by .cowrieignore or by the setting "exclude"',
  link: 'is a link',
  binary: 'is not text',
  large: 'is too large',
  unreadable: 'cannot be read',
}

const PATH_BYTES_MAX = 240
const SEGMENTS_MAX = 32

/** Why a path is not sent; null when it may be. */
export function whyNot(path: string): Why | null {
  if (path.toLowerCase().split('/').includes('.git') || !isTakenByService(path)) return 'name'
  return isSecretFile(path) ? 'secret' : null
}

/** The service refuses paths that mean different files on different computers. */
function isTakenByService(path: string): boolean {
  if (path.trim() === '' || Buffer.byteLength(path) > PATH_BYTES_MAX || path !== path.normalize('NFKC'))
    return false
  if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(path) || /^[a-z]:|^[~/-]|[\\:*?"<>|]|%[0-9a-f]{2}/i.test(path))
    return false
  const segments = path.split('/')
  return (
    segments.length <= SEGMENTS_MAX &&
    segments.every(
      (segment) =>
        segment !== '' &&
        !/^\.+$|^ |[. ]$|~\d/.test(segment) &&
        !/^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9])(\.|$)/i.test(segment),
    )
  )
}

const BINARY =
  /\.(png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|mp[34]|mov|avi|mkv|webm|wav|ogg|flac|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|bin|wasm|pyc|woff2?|ttf|otf|eot|sqlite3?|db|iso|dmg|apk|aab|ipa)$/i

/** Not worth opening: these are never text. */
export const isBinaryName = (path: string): boolean => BINARY.test(path)
