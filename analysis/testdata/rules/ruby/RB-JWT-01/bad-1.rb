payload, = JWT.decode(token, nil, false) # ← here
