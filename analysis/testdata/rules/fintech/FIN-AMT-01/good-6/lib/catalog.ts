import { prisma } from './prisma'

export async function priceOf(id: string): Promise<number> {
  const product = await prisma.product.findUniqueOrThrow({ where: { id } })
  return product.priceKobo
}
