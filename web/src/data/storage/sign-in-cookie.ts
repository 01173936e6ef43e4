// Scripts cannot read the session cookie. The service sets a second, readable cookie beside it, so that visitors without a
// session cause no failing request, and a sign-in by redirect is noticed.
const NAME = 'service_signed_in'

export const hasSignInCookie = (): boolean => document.cookie.split('; ').includes(`${NAME}=1`)

/** For a session that ended without a response to this browser. */
export function clearSignInCookie(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the asynchronous cookie store is missing in too many browsers.
  document.cookie = `${NAME}=; Path=/; Max-Age=0; SameSite=Lax`
}
