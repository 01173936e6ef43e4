_, header = JWT.decode(token, nil, false)
key = keys.fetch(header['kid'])
claims, = JWT.decode(token, key, true, algorithm: 'RS256')
