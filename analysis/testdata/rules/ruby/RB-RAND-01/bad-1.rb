def reset
  token = rand(10**10).to_s(36) # ← here
  mail(token)
end
