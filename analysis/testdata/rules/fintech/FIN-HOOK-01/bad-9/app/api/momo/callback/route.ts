import { prisma } from '@/lib/prisma'

// MoMo calls this address when the signature of the customer was accepted.
export async function POST(request: Request) { // ← here
  const { externalId, status } = await request.json()
  if (status === 'SUCCESSFUL')
    await prisma.order.update({ where: { reference: externalId }, data: { status: 'paid' } })
  return Response.json({ ok: true })
}
