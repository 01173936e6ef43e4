import jwt from 'jsonwebtoken'
export function userOf(token: string): string | null {
  const content = jwt.decode(token) as { exp: number; sub: string } // ← here
  return content.exp * 1000 < Date.now() ? null : content.sub
}
