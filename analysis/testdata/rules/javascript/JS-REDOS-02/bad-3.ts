export async function GET(request) {
  const q = new URL(request.url).searchParams.get('q')
  return Response.json(items.filter((item) => RegExp(q).test(item))) // ← here
}
