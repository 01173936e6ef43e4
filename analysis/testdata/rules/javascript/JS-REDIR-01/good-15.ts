// Fixed addresses, and the page itself.
export async function GET(request: Request) {
  const id = new URL(request.url).searchParams.get('id') ?? ''
  return new Response(null, { status: 302, headers: { Location: `/orders/${encodeURIComponent(id)}` } })
}

export function reload() {
  window.location.replace(window.location.pathname)
  window.location.assign('/home')
}
