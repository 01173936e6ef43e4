// Arrays as PostgreSQL writes them. Every statement casts its array parameters, so the text says no type.

type Item = string | number | bigint | boolean | Date | null | Uint8Array

export function arrayLiteral(items: readonly Item[]): string {
  return `{${items.map(itemLiteral).join(',')}}`
}

function itemLiteral(item: Item): string {
  if (item === null) return 'NULL'
  if (item instanceof Date) return `"${item.toISOString()}"`
  if (item instanceof Uint8Array) return `"\\\\x${Buffer.from(item).toString('hex')}"`
  return `"${String(item).replace(/["\\]/g, '\\$&')}"`
}
