// A page calls an address from its own link with the network of the visitor.
export async function report(request: Request) {
  const url = new URL(request.url).searchParams.get('collector') ?? ''
  if (navigator.onLine) return fetch(url, { method: 'POST' })
  return undefined
}
