def user_of(token)
  User.find(JWT.decode(token, '', false)[0]['user']) # ← here
end
