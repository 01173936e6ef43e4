// The check also rejects backslashes, and the saved address is built from a fixed path.
export function isSafeRedirect(url: string): boolean {
  return url.startsWith('/') && !url.startsWith('//') && !url.includes('\\')
}

export function isLocalReturnTo(url: string): boolean {
  return url.startsWith('/') && new URL(url, 'https://shop.example').origin === 'https://shop.example'
}

export function requireLogin(req: any, res: any) {
  req.session.returnTo = '/account'
  res.redirect('/login')
}
