// Response objects with a `Location` header, and functions of frameworks.
import { redirect } from '@sveltejs/kit'
import { sendRedirect } from 'h3'

export async function GET(request: Request) {
  const target = new URL(request.url).searchParams.get('next') ?? '/'
  return new Response(null, { status: 302, headers: { Location: target } }) // ← here
}

export const load = async (request: Request) => {
  redirect(302, new URL(request.url).searchParams.get('next')!) // ← here
}

export const handler = async (event: any) => {
  return { statusCode: 302, headers: { Location: event.queryStringParameters.returnTo } } // ← here
}

export const fallback = sendRedirect
