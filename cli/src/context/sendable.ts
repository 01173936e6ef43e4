// Which files may be sent, by path: those the service accepts, without known secret files. Naming one explicitly gives an
// error.
import { isSecretFile } from '@cowrie/sdk/secrets'

export type SkipReason =
  /** `.env`, keys, password stores: files made for secrets. */
  | 'secret'
  /** The service rejects the path. */
  | 'name'
  /** `.cowrieignore`, or the setting `exclude`. */
  | 'excluded'
  /** May point outside the repository. */
  | 'link'
  | 'binary'
  | 'large'
  | 'unreadable'

export const SKIP_REASONS: Readonly<Record<SkipReason, string>> = {
  secret: 'is never sent: files with this name contain secrets',
  name: 'has a name that the service rejects',
  excluded: 'is excluded by .cowrieignore or by the setting "exclude"',
  link: 'is a link',
  binary: 'is not text',
  large: 'is too large',
  unreadable: 'cannot be read',
}

const PATH_BYTES_MAX = 240
const SEGMENTS_MAX = 32

/** Why a path is not sent; null when it may be. */
export function whySkipped(path: string): SkipReason | null {
  if (path.toLowerCase().split('/').includes('.git') || !isAcceptedByService(path)) return 'name'
  return isSecretFile(path) ? 'secret' : null
}

/** The service rejects paths that differ between operating systems. */
function isAcceptedByService(path: string): boolean {
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

/** Never text, so not opened. */
export const isBinaryName = (path: string): boolean => BINARY.test(path)
