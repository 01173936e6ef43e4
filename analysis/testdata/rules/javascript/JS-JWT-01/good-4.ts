import jwt from 'jsonwebtoken'
export function isExpired(token: string): boolean {
  const content = jwt.decode(token) as { exp?: number } | null
  if (!content || content.exp === undefined) return true
  return content.exp * 1000 < Date.now()
}
