export function fee(amount) {
  const price = parseFloat(amount) // ← here
  return price * 1.015 + 100
}
