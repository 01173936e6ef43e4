// How our app shows GitHub who it is: a short-lived JWT under the app's private key.
import { createPrivateKey, sign } from 'node:crypto'

const BACKDATED_SECONDS = 60
const VALID_SECONDS = 9 * 60

/** Dated back a little, because GitHub refuses what comes from the future. */
export function appJwt(appId: string, privateKey: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = { iat: seconds - BACKDATED_SECONDS, exp: seconds + VALID_SECONDS, iss: appId }
  const signed = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`
  // Environments that cannot hold several lines write the ends of lines out.
  const key = createPrivateKey(privateKey.replaceAll('\\n', '\n'))
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
