// Changes of the address of an account, by the person and by the mailboxes.
import type { Reply, TestServer, Visitor } from '../harness/harness.ts'
import { createPasswordUser, login, newAddress, type PasswordUser, tokenTo } from './password-users.ts'

export type ChangedUser = PasswordUser & {
  browser: Visitor
  newEmail: string
  /** The tokens in the mails to the old address. */
  cancel: string
  undo: string
}

/** The clock advances with each call, so that the newest mail is known. */
export function emailChanges(serverOf: () => TestServer) {
  const confirm = (browser: Visitor, token: string): Promise<Reply> => {
    serverOf().clock.advance({ seconds: 1 })
    return browser.call('POST', '/me/email/confirm', { body: { token } })
  }
  const revert = (token: string): Promise<Reply> => {
    serverOf().clock.advance({ seconds: 1 })
    return serverOf().call('POST', '/auth/email/revert', { body: { token } })
  }
  const request = (browser: Visitor, email: string): Promise<Reply> => {
    serverOf().clock.advance({ seconds: 1 })
    return browser.call('POST', '/me/email', { body: { email } })
  }
  async function browserOf(email: string, password?: string): Promise<Visitor> {
    const browser = serverOf().visitor()
    const reply = await login(browser, email, password)
    if (reply.status !== 200) throw new Error(`no sign-in: ${reply.text}`)
    return browser
  }
  async function signedIn() {
    const user = await createPasswordUser(serverOf())
    return { ...user, browser: await browserOf(user.email) }
  }
  async function emailOf(userId: string): Promise<string | undefined> {
    const row = await serverOf().sql.maybe<{ email: string }>`select email from users where id = ${userId}`
    return row?.email
  }
  async function changed(): Promise<ChangedUser> {
    const user = await signedIn()
    const email = newAddress()
    await request(user.browser, email)
    const cancel = await tokenTo(serverOf(), user.email)
    const reply = await confirm(user.browser, await tokenTo(serverOf(), email))
    if (reply.status !== 200) throw new Error(`no change: ${reply.text}`)
    return { ...user, newEmail: email, cancel, undo: await tokenTo(serverOf(), user.email) }
  }
  return { signedIn, browserOf, request, confirm, revert, emailOf, changed }
}
