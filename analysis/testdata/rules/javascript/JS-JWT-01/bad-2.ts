import jwt from 'jsonwebtoken'
export const read = (token, key) => jwt.verify(token, key, { algorithms: ['HS256', 'none'] })
