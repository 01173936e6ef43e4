// Rules about hashes, ciphers, tokens, certificates and signed tokens.

import type { AssignEvent, CallEvent, Hit, Rule } from '../../rule.ts'

const SECRET_NAME =
  /(?:^|_|\b)(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|otp|session_?id|csrf|nonce|api_?key|auth_?(?:code|key)|reset_?(?:code|key)|verification_?code|pin|salt|signature|credential)(?:$|_|\b|s$)/i

export const weakPasswordHash: Rule = {
  id: 'RB-HASH-01',
  title: 'A password is hashed with a fast hash',
  cwe: 916,
  severity: 'error',
  confidence: 'medium',
  languages: ['ruby'],
  message:
    'A graphics card tries billions of these hashes per second. A leaked table is read as if it were plain text.',
  fix: 'Use `has_secure_password` or `BCrypt::Password.create(password)`.',
  on: {
    call: (event) => {
      if (
        !/^(?:OpenSSL\.)?Digest\.(?:MD5|SHA1|SHA256|SHA512|SHA2)\.(?:hexdigest|digest|base64digest)$/.test(
          event.name,
        )
      )
        return undefined
      const given = event.args[0]
      const written = given ? event.source(given.expr.at) : ''
      const isPassword =
        /pass(?:word|wd|phrase)\b|\bpwd\b/i.test(written) && !/token|reset|digest|forgot|path/i.test(written)
      return isPassword ? { at: event.expr.at } : undefined
    },
  },
}

export const weakRandomness: Rule = {
  id: 'RB-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 338,
  severity: 'error',
  confidence: 'medium',
  languages: ['ruby'],
  message: 'A few values of `rand` reveal the next ones. An attacker computes the tokens of other users.',
  fix: 'Use `SecureRandom.hex(32)`, `SecureRandom.random_number(1_000_000)` or `SecureRandom.alphanumeric`.',
  on: { assign: findAssigned, call: findPassed },
}

const DRAWS =
  /(?<![\w.:])(?:Kernel\.|Random\.)?rand\b(?!\s*[=:])|\bRandom\.(?:new|bytes|random_number)\b|\.sample\b(?!\(\s*random:\s*SecureRandom)|\.shuffle\b(?!\(\s*random:\s*SecureRandom)/

function findAssigned({ name, expr, source }: AssignEvent): Hit | undefined {
  const value = expr.kind === 'assign' ? expr.value : expr
  if (!SECRET_NAME.test(name) || value.kind === 'function') return undefined
  const written = source(value.at)
  return written.length < 300 && DRAWS.test(written) && !/SecureRandom/.test(written)
    ? { at: expr.at }
    : undefined
}

/** `user.update(reset_token: rand(10**6))` and `def generate_token; rand(…); end`. */
function findPassed(event: CallEvent): Hit | undefined {
  const method = event.functions.find(({ name }) => name !== '')
  const isDraw =
    event.receiver === null ? event.name === 'rand' : /^(?:Random\.rand|Kernel\.rand)$/.test(event.name)
  if (
    isDraw &&
    method &&
    /^(?:generate|make|create|new|random)_\w*(?:token|otp|pin|password|secret|code)$/.test(method.name)
  )
    return { at: event.expr.at }
  const given = event.args.find(
    ({ name, expr }) =>
      name !== null &&
      SECRET_NAME.test(name) &&
      expr.kind !== 'function' &&
      DRAWS.test(event.source(expr.at)),
  )
  return given && !/SecureRandom/.test(event.source(given.expr.at)) ? { at: given.expr.at } : undefined
}

export const weakCipher: Rule = {
  id: 'RB-CRYPT-01',
  title: 'Data is encrypted with a broken cipher or mode',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['ruby'],
  message: 'DES, RC4 and Blowfish can be broken, and ECB shows equal blocks. The content can be recovered.',
  fix: 'Use `OpenSSL::Cipher.new("aes-256-gcm")` with a new random iv for each message.',
  on: {
    call: (event) => {
      if (!event.isNew || !/^OpenSSL\.Cipher(?:\.Cipher)?$/.test(event.name)) return undefined
      const cipher = String(event.arg(0)?.value.known ?? '')
      return /^(?:des|rc[245]|bf|blowfish|cast)|-ecb$/i.test(cipher) ? { at: event.expr.at } : undefined
    },
  },
}

export const uncheckedCertificate: Rule = {
  id: 'RB-TLS-01',
  title: 'The certificate of a server is not checked',
  cwe: 295,
  severity: 'warn',
  confidence: 'high',
  languages: ['ruby'],
  message:
    'Anyone on the network path can answer in the name of the server, read what is sent and change the answer.',
  fix: 'Keep the default (`OpenSSL::SSL::VERIFY_PEER`). Add your own certificate authority to the store if you need one.',
  on: {
    assign: ({ name, expr, source }) =>
      /^(?:verify_mode|ssl_verify_mode)$/.test(name) &&
      isNone(source((expr.kind === 'assign' ? expr.value : expr).at))
        ? { at: expr.at }
        : undefined,
    call: (event) => {
      const off = event.args.find(
        ({ name, expr, value }) =>
          (name !== null &&
            /^(?:verify_mode|ssl_verify_mode|verify_ssl)$/.test(name) &&
            (isNone(event.source(expr.at)) || value.known === false)) ||
          (name === 'verify' && value.known === false && CLIENT.test(event.name)) ||
          (name === 'ssl' && value.fields?.get('verify')?.known === false),
      )
      return off && { at: off.expr.at }
    },
  },
}

const CLIENT = /^(?:HTTParty|Faraday|RestClient|HTTP|HTTPX|Excon|Typhoeus)(?:\.|$)/
const isNone = (written: string): boolean => /^(?:::)?(?:OpenSSL::SSL::)?VERIFY_NONE$/.test(written)

export const uncheckedToken: Rule = {
  id: 'RB-JWT-01',
  title: 'A signed token is read without its signature',
  cwe: 347,
  severity: 'error',
  confidence: 'high',
  languages: ['ruby'],
  message: 'Anyone can write such a token, with any user in it.',
  fix: 'Pass the key, `true` and the algorithm: `JWT.decode(token, key, true, algorithm: "HS256")`.',
  on: { call: findDecoded },
}

function findDecoded(event: CallEvent): Hit | undefined {
  if (event.name !== 'JWT.decode' || event.args.length < 3) return undefined
  if (event.arg(2)?.value.known !== false) return undefined
  // The header of a token names the key that the second, checked read uses.
  return /JWT\.decode\([^\n]*\btrue\b/.test(event.text.slice(event.expr.at.end))
    ? undefined
    : { at: event.expr.at }
}
