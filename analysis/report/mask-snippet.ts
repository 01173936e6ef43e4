// Masks secrets in code shown to users. It masks generously, because the excerpt only has to be
// recognizable.
import { TOKEN_PREFIXES } from '../secret-formats/secrets.ts'
import { maskSecrets } from '../secrets/secrets.ts'

const SECRETS = new RegExp(
  String.raw`\b(?:${TOKEN_PREFIXES}|pk_(?:live|test)_|eyJ)[\w.-]{8,400}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^"'\x60\n]{0,4000}|(?<=:\/\/[^\s:/@]{1,80}:)[^\s@/"'\x60]{3,200}(?=@)`,
  'g',
)
const NAMED =
  /((?:secret|passw(?:or)?d|passkey|pwd|token|api_?key|access_?key|private|consumer|credential)\w{0,40}["'`]?\s{0,20}(?:[:=]|=>)\s{0,20}["'`])([^"'`\n]{6,})/gi
/** The lookbehind starts each run only once. Without it, matching takes quadratic time. */
const RUN = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,}={0,2}/g
const isRandom = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run)

export const maskSnippet = (text: string): string =>
  maskSecrets(
    text
      .replace(SECRETS, (secret) => `${secret.slice(0, 4)}…`)
      .replace(NAMED, (_, before: string, secret: string) => `${before}${secret.slice(0, 2)}…`)
      .replace(RUN, (run) => (isRandom(run) ? `${run.slice(0, 4)}…` : run)),
  )
