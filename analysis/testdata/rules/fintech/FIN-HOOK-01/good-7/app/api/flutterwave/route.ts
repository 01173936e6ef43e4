import { NextRequest, NextResponse } from 'next/server'
import { isFromFlutterwave } from '@/lib/flutterwave'
import { prisma } from '@/lib/prisma'

export async function POST(request: NextRequest) {
  if (!isFromFlutterwave(request.headers.get('verif-hash'))) return new NextResponse(null, { status: 401 })
  const event = await request.json()
  const order = await prisma.order.findUnique({ where: { reference: event.data.tx_ref } })
  if (!order || order.amount !== event.data.amount || order.currency !== event.data.currency) return NextResponse.json({ ok: true })
  await prisma.order.updateMany({ where: { id: order.id, status: 'pending' }, data: { status: 'paid' } })
  return NextResponse.json({ ok: true })
}
