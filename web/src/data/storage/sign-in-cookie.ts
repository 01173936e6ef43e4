// The session's cookie cannot be read by scripts. Beside it the service sets a mark that can, so that a stranger's
// visit costs no refused request and a sign-in that came by redirect is noticed.
const NAME = 'service_signed_in'

export const isMarked = (): boolean => document.cookie.split('; ').includes(`${NAME}=1`)

/** For a session that ended without this browser being told. */
export function unmark(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the asynchronous cookie store is missing in too many browsers.
  document.cookie = `${NAME}=; Path=/; Max-Age=0; SameSite=Lax`
}
