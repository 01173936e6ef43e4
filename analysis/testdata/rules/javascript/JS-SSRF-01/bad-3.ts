import got from 'got'
export async function POST(request: Request) {
  const { target } = await request.json()
  return Response.json(await got({ url: target })) // ← here
}
