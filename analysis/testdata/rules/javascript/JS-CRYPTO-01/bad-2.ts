import { createCipheriv } from 'node:crypto'
export const seal = (key, text) => createCipheriv('aes-256-ecb', key, null).update(text)
