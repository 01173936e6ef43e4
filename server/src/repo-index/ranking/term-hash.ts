// Terms as 32-bit numbers: a large index has millions of postings, and numbers need no strings to load. Two terms of one index share a
// number about once in ten thousand queries, and then only affect the ranking.

/** Never zero, which marks an empty slot. */
export function hashTerm(term: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519)
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_917)
  return (hash ^ (hash >>> 16)) >>> 0 || 1
}
