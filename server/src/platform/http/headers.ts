// Headers that every answer carries, made once.
import type { Config } from '../config.ts'

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox"

export function standingHeaders(config: Config): Record<string, string> {
  return {
    'x-service-version': `${config.version}+${config.commit}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': API_POLICY,
    'cache-control': 'no-store',
    ...(config.baseUrl.startsWith('https:')
      ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }
      : {}),
  }
}

/** For pages: strict, from this origin alone, with the exceptions a page names. */
export function pageHeaders(
  exceptions: {
    script?: string
    style?: string
    img?: string
    font?: string
    connect?: string
    worker?: string
  } = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'self'${exceptions.script ? ` ${exceptions.script}` : ''}`,
    `style-src 'self'${exceptions.style ? ` ${exceptions.style}` : ''}`,
    `img-src 'self' data:${exceptions.img ? ` ${exceptions.img}` : ''}`,
    `font-src 'self'${exceptions.font ? ` ${exceptions.font}` : ''}`,
    `connect-src 'self'${exceptions.connect ? ` ${exceptions.connect}` : ''}`,
    ...(exceptions.worker ? [`worker-src ${exceptions.worker}`] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  }
}

/** An incoming request id is kept when it is sane, so that a client can follow its call through our log. */
export const isSaneRequestId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.:-]{8,128}$/.test(value)
