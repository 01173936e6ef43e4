export async function handle(request: Request) {
  const url = new URL(request.url)
  return Response.redirect(`${url.origin}/sign-in?error=1`)
}
