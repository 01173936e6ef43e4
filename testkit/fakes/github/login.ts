// A fake of the sign-in of GitHub: the authorisation page, the token endpoint with PKCE, and the person's addresses.
import { createHash, randomBytes } from 'node:crypto'
import { type LoopbackServer, startLoopbackServer } from '../payments/loopback-server.ts'

export type FakePerson = {
  id: number
  login: string
  emails: { email: string; primary: boolean; verified: boolean }[]
}

export type FakeGithubLogin = Pick<LoopbackServer, 'url' | 'requests' | 'scriptedReplies' | 'close'> & {
  fault: LoopbackServer['fault']
  /** Acts as the browser at GitHub: the person allows it. Returns the path and query of the callback. */
  allow(authorizeUrl: string, person: FakePerson): URL
  deny(authorizeUrl: string): URL
  /** The person who is signed in at GitHub in a real browser. */
  visitor: FakePerson | null
  /** All open codes expire. */
  expireCodes(): void
}

export async function startFakeGithubLogin(): Promise<FakeGithubLogin> {
  const codes = new Map<string, { person: FakePerson; challenge: string }>()
  const tokens = new Map<string, FakePerson>()
  const server = await startLoopbackServer(({ path, query, raw, headers }) => {
    if (path === '/login/oauth/authorize') return { status: 200, body: authorisationPage(query) }
    if (path === '/login/oauth/access_token') {
      const sent = JSON.parse(raw) as Record<string, string>
      const grant = codes.get(sent.code ?? '')
      codes.delete(sent.code ?? '')
      const challenge = createHash('sha256')
        .update(sent.code_verifier ?? '')
        .digest('base64url')
      // GitHub reports errors with status 200.
      if (!grant || grant.challenge !== challenge || sent.client_secret !== 'the client secret')
        return { status: 200, body: { error: 'bad_verification_code' } }
      const token = `gho_${randomBytes(12).toString('hex')}`
      tokens.set(token, grant.person)
      return { status: 200, body: { access_token: token, token_type: 'bearer', scope: 'user:email' } }
    }
    const person = tokens.get((headers.authorization ?? '').replace('Bearer ', ''))
    if (!person) return { status: 401, body: { message: 'Bad credentials' } }
    if (path === '/user') return { status: 200, body: { id: person.id, login: person.login, email: null } }
    if (path === '/user/emails') return { status: 200, body: person.emails }
    return { status: 404, body: { message: 'Not Found' } }
  })
  const callback = (authorizeUrl: string, given: Record<string, string>): URL => {
    const { searchParams } = new URL(authorizeUrl)
    const url = new URL(searchParams.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries({ ...given, state: searchParams.get('state') ?? '' }))
      url.searchParams.set(name, value)
    return url
  }
  const fake: FakeGithubLogin = Object.assign(server, {
    visitor: null,
    allow(authorizeUrl: string, person: FakePerson) {
      const code = randomBytes(10).toString('hex')
      codes.set(code, { person, challenge: new URL(authorizeUrl).searchParams.get('code_challenge') ?? '' })
      return callback(authorizeUrl, { code })
    },
    deny: (authorizeUrl: string) => callback(authorizeUrl, { error: 'access_denied' }),
    expireCodes: () => codes.clear(),
  })
  function authorisationPage(query: URLSearchParams): string {
    const address = `${fake.url}/login/oauth/authorize?${query}`
    if (!fake.visitor) return 'Sign in first.'
    const link = (url: URL, text: string) => `<a href="${url.href.replaceAll('&', '&amp;')}">${text}</a>`
    return `<!doctype html>${link(fake.allow(address, fake.visitor), 'Authorize')} ${link(fake.deny(address), 'Cancel')}`
  }
  return fake
}
