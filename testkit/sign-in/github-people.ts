// People at the fake GitHub, and browsers that sign in with it.
import { expect } from 'vitest'
import type { FakeGithubLogin, FakePerson } from '../fakes/github/login.ts'
import type { TestServer, Visitor } from '../harness/harness.ts'
import { NAVIGATING, newAddress } from './password-users.ts'

let ids = 1_000
export const githubPerson = (email = newAddress(), more: FakePerson['emails'] = []): FakePerson => ({
  id: ++ids,
  login: `octo-${ids}`,
  emails: [...more, { email, primary: true, verified: true }],
})

/** The steps of a browser: from our page to GitHub, back with the answer of the person, or both. */
export function githubSteps(server: TestServer, github: FakeGithubLogin) {
  async function start(browser: Visitor, query: Record<string, string> = {}): Promise<string> {
    const headers = { ...NAVIGATING, 'sec-fetch-site': 'same-origin' }
    const reply = await browser.call('GET', '/auth/github', { query, headers })
    expect(reply.status).toBe(302)
    return reply.headers.location ?? ''
  }
  const back = (browser: Pick<Visitor, 'call'>, url: URL) =>
    browser.call('GET', url.pathname, { query: Object.fromEntries(url.searchParams), headers: NAVIGATING })
  async function enter(who: FakePerson, browser = server.visitor(), query: Record<string, string> = {}) {
    const reply = await back(browser, github.allow(await start(browser, query), who))
    return { browser, location: reply.headers.location, status: reply.status }
  }
  return { start, back, enter }
}

export const githubVariables = (github: FakeGithubLogin) => ({
  SERVICE_GITHUB_CLIENT_ID: 'cowrie-client',
  SERVICE_GITHUB_CLIENT_SECRET: 'the client secret',
  SERVICE_GITHUB_BASE_URL: github.url,
  SERVICE_GITHUB_API_URL: github.url,
})
