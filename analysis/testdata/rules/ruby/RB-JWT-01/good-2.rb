def claims(token)
  JWT.decode(token, public_key, true, { algorithm: 'RS256' }).first
end
