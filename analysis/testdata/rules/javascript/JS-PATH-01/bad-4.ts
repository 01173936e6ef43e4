import { readFile } from 'node:fs/promises'
export async function GET(request, { params }) {
  return new Response(await readFile('/srv/docs/' + params.slug)) // ← here
}
