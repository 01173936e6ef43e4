export async function spend(userId, amount) {
  const user = await prisma.user.findUnique({ where: { id: userId } })
  await prisma.user.update({ where: { id: userId }, data: { balance: user.balance - amount } }) // ← here
}
